roofline op gemm m=1,512 n=4096 k=4096 --on h100-sxm --csv --require 'bound==memory'
