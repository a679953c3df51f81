printf 'name,seconds,bytes_dram\n"=cmd|calc!A0",1e-3,1e9\n\033[31mred,1e-3,1e9\n' >k.csv && roofline profile k.csv --on h100-sxm --csv | cut -d, -f1
