roofline profile --compare profiles/kernels.csv profiles/after.csv --on h100-sxm --csv
