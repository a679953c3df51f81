roofline profile profiles/ncu.csv --on a100-sxm-80 --level all -o chart.svg >/dev/null && cat chart.svg
