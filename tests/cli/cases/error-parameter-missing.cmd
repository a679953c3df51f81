roofline op gemm m=1 n=2 --on h100-sxm
