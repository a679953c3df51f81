roofline profile --compare profiles/bench.csv profiles/kernels.csv --on rtx-4090
