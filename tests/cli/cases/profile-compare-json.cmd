roofline profile --compare profiles/cut.csv profiles/comma.csv --on a100-sxm-80 --json
