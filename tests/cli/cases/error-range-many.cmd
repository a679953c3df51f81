roofline op gemm m=1..10000 n=1..20 k=1 --on h100-sxm
