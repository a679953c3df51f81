roofline model lama-3.1-8b --on h100-sxm
