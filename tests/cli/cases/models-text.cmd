roofline models llama-3.1
