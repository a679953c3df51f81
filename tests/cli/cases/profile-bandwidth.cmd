roofline profile profiles/comma.csv --on a100-sxm-80 --bandwidth 2.5TB/s
