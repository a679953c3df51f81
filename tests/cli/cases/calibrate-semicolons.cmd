tr , ';' <runs/serving.csv >sheet.csv; roofline calibrate sheet.csv --on h100-sxm --engine vllm --diff | head -3
