roofline model llama-3.1-8b --on h100-sxm --launch 4us --phase decode
