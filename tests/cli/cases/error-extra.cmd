roofline machines h100 mi300x
