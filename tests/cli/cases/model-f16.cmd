roofline model llama-3.1-8b --on v100-sxm2-32 --dtype f16
