roofline profile profiles/kernels.csv --on h100-sxm --width 700 -o page.html
