roofline op gemm m=8 n=14336 k=4096 b=int4 weights block_rows=1 block_cols=128 scale_bits=16 --on h100-sxm
