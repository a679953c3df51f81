roofline ops attention
