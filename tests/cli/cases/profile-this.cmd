saved this.json; roofline profile profiles/flops.csv
