roofline calibrate runs/vllm.jsonl --on h100-sxm --json --diff
