roofline model deepseek-v3 --show --explain
