LC_ALL=C.UTF-8 roofline model llama-3.1-8b --on h100-sxm --batch 1,64 --chart --phase decode | sed -n '1,2p;/^Llama/,/64/p'
