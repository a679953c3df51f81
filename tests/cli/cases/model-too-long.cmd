roofline model llama-3.1-8b --on h100-sxm --prompt 200000 | head -4
