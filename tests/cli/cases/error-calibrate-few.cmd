head -3 runs/serving.csv >two.csv; head -5 runs/serving.csv | tail -1 >>two.csv; roofline calibrate two.csv --on h100-sxm --engine vllm
