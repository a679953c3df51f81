roofline op gemn m=1 --on h100-sxm
