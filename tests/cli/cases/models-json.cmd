roofline models llama-3.1-8b --json
