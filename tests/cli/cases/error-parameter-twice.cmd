roofline op gemm m=1 n=1 k=1 m=2 --on h100-sxm
