roofline calibrate runs/serving.csv --on h100-sxm,a100-sxm-80 --engine vllm
