roofline model deepseek-v3 --layers --explain
