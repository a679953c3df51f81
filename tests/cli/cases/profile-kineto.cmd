roofline profile profiles/trace.json --on h100-sxm
