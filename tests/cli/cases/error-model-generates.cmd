roofline model models/bert.json --on h100-sxm --generate 10
