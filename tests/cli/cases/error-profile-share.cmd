roofline profile profiles/kernels.csv --on h100-sxm --require 'share_above(2)>=0.8'
