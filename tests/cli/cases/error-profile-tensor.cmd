cut -d, -f1-3,5,7,9 profiles/tensor.csv >t.csv; roofline profile t.csv --on rtx-4090
