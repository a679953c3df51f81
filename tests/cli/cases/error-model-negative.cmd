roofline model negative.json --on h100-sxm
