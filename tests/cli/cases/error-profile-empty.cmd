roofline profile empty --on h100-sxm
