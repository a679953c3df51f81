roofline op gemm m=4096 n=4096 k=4096 dtype=f16 f16_accumulate --on mi300x
