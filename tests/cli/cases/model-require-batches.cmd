roofline model llama-3.1-8b --on h100-sxm --csv --batch 8,64 --require 'decode.tokens_per_second>=2000'
