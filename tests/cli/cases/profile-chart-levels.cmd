roofline profile profiles/levels.csv --on profiles/cache.json --level all -o chart.svg >/dev/null && cat chart.svg
