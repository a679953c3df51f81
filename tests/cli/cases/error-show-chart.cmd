roofline machines --show h100-sxm -o chart.svg
