roofline model llama-3.1-8b --on a100-sxm-80 --instead h100-sxm,mi300x --phase decode
