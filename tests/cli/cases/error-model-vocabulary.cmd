roofline model no-vocabulary.gguf --on h100-sxm
