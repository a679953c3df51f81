roofline profile profiles/bench.csv --on h100-sxm | head -4
