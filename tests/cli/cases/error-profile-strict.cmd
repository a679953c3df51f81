roofline profile profiles/cut.csv --on h100-sxm --strict
