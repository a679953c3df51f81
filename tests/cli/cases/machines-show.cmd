roofline machines --show h100
