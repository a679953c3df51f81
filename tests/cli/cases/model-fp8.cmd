roofline model llama-3.1-8b --on h100-sxm --weights fp8 --kv-cache fp8 --batch 256
