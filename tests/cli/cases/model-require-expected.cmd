roofline model llama-3.1-8b --on h100-sxm --csv --require 'decode.expected_seconds<=0.02' --require 'decode.expected_tokens_per_second>=1000'
