roofline model llama/config.json --on h100-sxm
