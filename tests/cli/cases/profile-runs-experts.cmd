roofline profile profiles/experts.csv --on rtx-4090
