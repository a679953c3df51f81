roofline op gemm m=4096 n=4096 k=4096 --on h100-sxm --against 68.7G
