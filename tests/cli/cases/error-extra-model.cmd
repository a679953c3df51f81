roofline model llama-3.1-8b llama-3.1-70b --on h100-sxm
