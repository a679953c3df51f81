roofline models v2 --family deepseek
