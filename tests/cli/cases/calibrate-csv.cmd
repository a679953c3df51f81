roofline calibrate runs/operations.csv --on h100-sxm --csv --diff
