roofline model models/mamba.json --on h100-sxm --batch 64
