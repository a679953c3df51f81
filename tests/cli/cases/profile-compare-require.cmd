roofline profile --compare profiles/kernels.csv profiles/after.csv --on h100-sxm --require 'speedup>=2' >/dev/null
