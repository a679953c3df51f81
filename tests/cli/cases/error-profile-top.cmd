roofline profile profiles/kernels.csv --on h100-sxm --top 0
