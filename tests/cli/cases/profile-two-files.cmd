roofline profile profiles/kernels.csv profiles/after.csv --on h100-sxm
