roofline machines --vendor nvidea
