roofline model llama-3.1-8b --on h100-sxm --batch 8 --phase decode --json | sed -n '/"serving"/,/"operations"/p'
