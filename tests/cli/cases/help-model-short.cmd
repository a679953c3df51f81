roofline model -h
