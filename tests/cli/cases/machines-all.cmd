roofline machines
