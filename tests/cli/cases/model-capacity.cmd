roofline model llama-3.1-70b --on h100-sxm --capacity 200GB --csv
