gzip -nc profiles/kernels.csv | gzip -nc | roofline profile - --on h100-sxm
