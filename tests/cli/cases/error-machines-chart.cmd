roofline machines --chart
