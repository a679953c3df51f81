roofline profile profiles/kernels.csv --on h100-sxm --require 'share_above(60%)>=0.8' >/dev/null
