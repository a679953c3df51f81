roofline profile --compare profiles/kernels.csv --on h100-sxm
