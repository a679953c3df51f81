roofline profile profiles/cut.csv --on a100-sxm-80
