roofline op gemm m=nan n=2 k=3 --on h100-sxm
