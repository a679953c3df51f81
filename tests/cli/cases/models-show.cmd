roofline models --show llama-3.1-8b
