roofline machines --show t4 --csv
