roofline op gemm m=8 n=64 k=64 dtype=f16 --on t4 -o /dev/null -o - 2>&1 | tail -2
