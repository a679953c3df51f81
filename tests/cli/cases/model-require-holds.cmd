roofline model llama-3.1-8b --on h100-sxm --csv --require 'decode.bound == memory' --require 'prefill.seconds<50ms' --require 'memory.total<=20GB' --require 'batching.ridge_batch>100'
