roofline calibrate runs/serving.csv --on h100-sxm --engine vllm --diff -o x.json
