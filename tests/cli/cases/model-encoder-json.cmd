roofline model models/bert.json --on h100-sxm --prompt 128 --json
