roofline model llama-3.1-8b --on h100-sxm --batch 8 --prompt 512,4096
