truncate -s 15904 models/tiny.gguf models/both/tiny.gguf && roofline model models/tiny.gguf --layers --json
