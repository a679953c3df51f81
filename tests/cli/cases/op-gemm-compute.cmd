roofline op gemm m=8192 n=8192 k=8192 --on h100-sxm
