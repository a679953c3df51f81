roofline model cut.json --on h100-sxm
