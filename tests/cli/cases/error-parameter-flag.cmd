roofline op gemm m=1 n=2 k=3 bias=perhaps --on h100-sxm
