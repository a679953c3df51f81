roofline model empty --on h100-sxm
