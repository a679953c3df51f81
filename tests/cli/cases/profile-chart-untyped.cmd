printf 'name,seconds,calls,flops,bytes_dram\ngemm,1e-2,10,1.4e10,4e8\nadd,1e-3,10,1e7,1e9\n' >t.csv; roofline profile t.csv --on rtx-5070-ti -o chart.svg >/dev/null && cat chart.svg
