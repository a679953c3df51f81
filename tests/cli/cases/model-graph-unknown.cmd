roofline model custom.onnx --on h100-sxm
