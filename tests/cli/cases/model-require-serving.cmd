roofline model llama-3.1-8b --on h100-sxm --csv --require 'serving.tpot.expected_seconds<=20ms' --require 'serving.load.expected_tokens_per_second>=100'
