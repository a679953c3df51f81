roofline model llama-3.1-8b --on h200-sxm --batch 1..512*2
