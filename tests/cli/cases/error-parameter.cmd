roofline op gemm m=1 n=2 kk=3 --on h100-sxm
