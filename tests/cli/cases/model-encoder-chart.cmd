roofline model models/bert.json --on h100-sxm --batch 1,64 --chart
