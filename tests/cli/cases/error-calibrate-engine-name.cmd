roofline calibrate runs/serving.csv --on h100-sxm --engine vlm
