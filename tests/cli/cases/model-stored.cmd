roofline model gpt2 --on h100-sxm --prompt 512
