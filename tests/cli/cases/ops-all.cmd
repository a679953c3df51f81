roofline ops
