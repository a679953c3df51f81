roofline profile profiles/bench.md --on rtx-4090
