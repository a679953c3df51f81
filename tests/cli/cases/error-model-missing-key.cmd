roofline model no-layers.json --on h100-sxm
