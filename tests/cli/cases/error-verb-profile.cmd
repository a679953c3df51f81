roofline profile kernels.csv
