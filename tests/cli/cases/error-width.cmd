roofline model llama-3.1-8b --on h100-sxm -o x.svg --width 10
