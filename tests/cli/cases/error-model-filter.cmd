roofline models lamma
