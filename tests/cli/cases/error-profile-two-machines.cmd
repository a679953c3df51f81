roofline profile profiles/kernels.csv --on h100-sxm,a100-sxm-80
