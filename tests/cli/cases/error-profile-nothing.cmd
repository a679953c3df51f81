roofline profile profiles/none.csv --on h100-sxm
