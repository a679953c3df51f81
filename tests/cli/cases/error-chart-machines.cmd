roofline model llama-3.1-8b --on h100-sxm,mi300x -o x.svg
