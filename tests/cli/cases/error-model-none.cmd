roofline model
