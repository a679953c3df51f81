roofline model llama-3.1-8b --on h100-sxm --batch 32 --context 1k,8k,32k --phase decode
