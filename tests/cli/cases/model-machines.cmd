roofline model llama-3.1-8b --on h100-sxm,h200-sxm,mi300x --batch 1,256
