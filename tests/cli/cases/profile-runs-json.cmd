roofline profile profiles/bench.csv --on rtx-4090 --json
