roofline op gemm m=1..4096*4 n=4096 k=4096 --on h100-sxm
