roofline models
