roofline profile profiles/kernels.csv
