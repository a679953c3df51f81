roofline op gemm m=1 n=2 k=3 dtype=bf17 --on h100-sxm
