roofline profile profiles/bench.csv
