roofline model no-vocabulary.gguf --show
