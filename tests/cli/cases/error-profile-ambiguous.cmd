roofline profile profiles/ambiguous.csv --on h100-sxm
