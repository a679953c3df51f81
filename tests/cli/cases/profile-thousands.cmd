printf 'name,seconds,flops,dtype,bytes_dram\n' >t.csv; for i in $(seq 1200); do echo "kernel_$i,1e-5,1e7,f32,1e6"; done >>t.csv; roofline profile t.csv --on a100-sxm-80 --top 2
