roofline model models/mamba.json --on h100-sxm --phase decode --json
