roofline op gemm m=8 n=14336 k=4096 --on h100-sxm --csv --require 'bound==memory' --require 'verdict.seconds<40us'
