roofline model models/vision.json --on h100-sxm --images 2 --image-tokens 1024
