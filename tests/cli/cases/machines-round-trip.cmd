roofline machines --show h100-sxm -o h.json && roofline op gemm m=8 n=14336 k=4096 --on h.json --csv
