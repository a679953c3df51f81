roofline model llama-3.1-8b --on h100-sxm --images 2
