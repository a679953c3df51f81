roofline model llama-3.1-8b --on h100-sxm --peak bf16=1e-300
