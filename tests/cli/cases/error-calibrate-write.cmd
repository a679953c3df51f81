roofline calibrate runs/operations.csv --on h100-sxm -o runs/one.csv/x.json >/dev/null
