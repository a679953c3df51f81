roofline calibrate runs/llama-bench.json --on h100-sxm --model llama-3.1-8b --diff; ls "$HOME"
