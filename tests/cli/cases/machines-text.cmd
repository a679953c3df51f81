roofline machines h100
