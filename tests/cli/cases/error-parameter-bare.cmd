roofline op gemm m --on h100-sxm
