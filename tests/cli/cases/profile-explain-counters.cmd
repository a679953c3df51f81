roofline profile profiles/counters.csv --on a100-sxm-80 --explain | grep -A1 -E ' matrix: | DRAM: '
