roofline model llama --on h100-sxm --csv
