roofline op gemm m=8 n=8 k=8 --on h100-sxm --compare mi300x
