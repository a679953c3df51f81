roofline profile profiles/ambiguous.csv --on a100-sxm-80 --decimal , --csv
