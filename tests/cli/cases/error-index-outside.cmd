mkdir m && printf '{"weight_map":{"a":"../../etc/passwd"}}' >m/model.safetensors.index.json && roofline model m --on h100-sxm
