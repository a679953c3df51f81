roofline model llama-3.1-8b --on h100-sxm --batch 256 --context 32768
