roofline profile profiles/comma.csv --on a100-sxm-80 --require 'share_above(0.6)>=0.8' --require 'points==2' --require 'worst.headroom<1.1' --require 'points.bound==memory' | head -1
