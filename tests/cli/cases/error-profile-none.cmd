roofline profile
