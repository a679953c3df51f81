roofline model models/net.onnx --on h100-sxm --dim batch=1 --csv --require 'graph.macs==483328' --require 'graph.seconds<1ms' --require 'graph.bound==memory'
