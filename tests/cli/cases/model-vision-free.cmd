roofline model models/vision.json --on h100-sxm --phase decode
