roofline model gemma-3-4b --show
