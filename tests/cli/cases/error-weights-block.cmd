roofline model llama-3.1-8b --on h100-sxm --weights int4-g1e300
