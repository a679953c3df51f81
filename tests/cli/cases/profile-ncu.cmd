roofline profile profiles/ncu.csv --on a100-sxm-80
