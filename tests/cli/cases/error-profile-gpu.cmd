saved measured.json; roofline profile profiles/ncu.csv
