echo old > x.txt; roofline op gemm m=8 n=64 k=64 dtype=f16 --on t4 -o x.txt && cat x.txt
