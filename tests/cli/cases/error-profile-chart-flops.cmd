roofline profile profiles/flops.csv --on h100-sxm -o chart.svg
