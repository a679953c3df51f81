roofline profile profiles/kernels.csv --on h100-sxm -o table.csv; roofline profile table.csv --on h100-sxm --csv | diff - table.csv && echo the same
