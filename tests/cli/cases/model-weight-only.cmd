roofline model llama-3.1-8b --on h100-sxm --weights fp8 --math bf16 --phase prefill --csv
