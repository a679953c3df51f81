roofline calibrate runs/operations.csv --on this:1
