mkdir one && cp models/net.onnx one && roofline model one --on h100-sxm --dim batch=1 --csv
