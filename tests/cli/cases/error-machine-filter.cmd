roofline machines h1000
