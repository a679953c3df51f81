roofline profile profiles/bench.csv --on rtx-4090 --model llama-3.2-3b
