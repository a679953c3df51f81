roofline profile models --on h100-sxm
