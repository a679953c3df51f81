mkdir two && cp models/*.onnx two && roofline model two/ --on h100-sxm
