roofline model gemma-3-4b --layers
