roofline calibrate runs/one.csv --on h100-sxm --engine vllm; code=$?; find "$HOME" -type f | wc -l; exit $code
