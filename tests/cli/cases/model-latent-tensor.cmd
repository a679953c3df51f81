roofline model deepseek-v3 --on h200-sxm --tensor 8
