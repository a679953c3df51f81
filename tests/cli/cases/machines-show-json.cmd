roofline machines --show h100-sxm --json
