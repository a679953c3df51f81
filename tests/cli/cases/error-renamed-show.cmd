roofline model llama-3.1-8b --show
