roofline model models/net.onnx --on h100-sxm --dim batch=1,256 --csv --require 'graph.seconds<1us'
