roofline model llama-3.1-8b --on rtx-4090 --weights int4-g128
