roofline machines -o x.svg
