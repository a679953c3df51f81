roofline model gemma-2-2b --layers --csv
