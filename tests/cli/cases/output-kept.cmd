echo old > x.csv; roofline op gemm m=0.5 n=64 k=64 --on t4 -o x.csv; cat x.csv
