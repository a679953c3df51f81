roofline calibrate runs/serving.csv runs/serving.csv --on h100-sxm --engine vllm
