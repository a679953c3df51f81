roofline model modle.json --on h100-sxm
