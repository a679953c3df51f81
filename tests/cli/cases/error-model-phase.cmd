roofline model models/bert.json --on h100-sxm --phase decode
