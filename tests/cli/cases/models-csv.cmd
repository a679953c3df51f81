roofline models llama-3.1-8b --csv
