roofline profile profiles/many.csv --on h100-sxm --top 5
