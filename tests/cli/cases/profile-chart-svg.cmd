roofline profile profiles/kernels.csv --on h100-sxm -o chart.svg >/dev/null && cat chart.svg
