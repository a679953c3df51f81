roofline profile profiles/bench.csv --on rtx-4090 --require 'decode.roof_share>=0.6' >/dev/null
