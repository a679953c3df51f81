roofline profile profiles/kernels.csv --on h100-sxm --format ncu
