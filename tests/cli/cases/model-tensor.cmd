roofline model llama-3.1-70b --on h100-sxm --tensor 2,4,8
