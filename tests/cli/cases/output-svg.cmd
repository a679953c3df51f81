roofline model llama-3.1-8b --on h100-sxm --batch 1,64 -o x.svg --csv && grep -c "<svg" x.svg && tail -c 7 x.svg
