roofline calibrate runs/llama-bench.json --on h100-sxm
