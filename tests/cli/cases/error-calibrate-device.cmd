roofline calibrate runs/llama-bench.json --on a100-sxm-80 --model llama-3.1-8b
