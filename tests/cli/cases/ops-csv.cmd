roofline ops gemm --csv
