saved measured.json; roofline profile profiles/bench.csv
