roofline op gemm m=8s n=1 k=1 --on h100-sxm
