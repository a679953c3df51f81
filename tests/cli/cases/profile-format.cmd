roofline profile profiles/comma.csv --format csv --on a100-sxm-80
