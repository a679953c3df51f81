roofline model gemma-2-2b --show --csv
