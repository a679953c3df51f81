roofline model unknown-format.json --on h100-sxm --json | sed -n '/batching/,$p'
