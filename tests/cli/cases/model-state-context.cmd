roofline model models/mamba.json --on h100-sxm --context 1000,100000 --csv
