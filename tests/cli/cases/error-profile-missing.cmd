roofline profile nothing.csv --on h100-sxm
