roofline calibrate --on h100-sxm
