roofline op gemm m=8 n=8 k=8 bias="0 no" --on h100-sxm
