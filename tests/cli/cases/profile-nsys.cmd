roofline profile profiles/nsys.csv --on rtx-4090
