roofline op gemm m=8 n=8 k=8 dtype=fp8 --on a100-sxm-80
