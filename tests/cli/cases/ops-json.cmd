roofline ops gemm --json
