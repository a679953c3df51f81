roofline profile profiles/kernels.csv --on h100-sxm --require 'points.headrom<2'
