roofline profile profiles/bad.csv --on h100-sxm
