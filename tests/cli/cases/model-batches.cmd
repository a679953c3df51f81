roofline model llama-3.1-8b --on h100 --batch 1,8,64,256,512
