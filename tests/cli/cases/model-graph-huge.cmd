roofline model huge.onnx --on h100-sxm | head -4
