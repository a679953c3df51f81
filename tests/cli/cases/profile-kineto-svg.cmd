roofline profile profiles/trace.json --on h100-sxm -o chart.svg >/dev/null && cat chart.svg
