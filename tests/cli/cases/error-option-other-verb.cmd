roofline op gemm m=1 n=1 k=1 --on h100-sxm --batch 4
