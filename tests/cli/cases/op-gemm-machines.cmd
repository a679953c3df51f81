roofline op gemm m=64 n=4096 k=4096 --on h100-sxm,mi300x,a100-sxm-80
