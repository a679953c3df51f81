sed 's/412.70/300.00/' profiles/ncu.csv >after.csv; roofline profile --compare profiles/ncu.csv after.csv --on a100-sxm-80
