roofline op gemm m=1,8 n=14336 k=4096 dtype=bf16,fp8 --on h100-sxm,mi300x --csv
