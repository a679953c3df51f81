roofline model llama-3.1-8b --on h100-sxm --csv --require 'decode.tokens_per_second>=1000'
