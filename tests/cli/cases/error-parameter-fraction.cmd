roofline op gemm m=1 n=2 k=3.5 --on h100-sxm
