saved measured.json && roofline model llama-3.2-1b
