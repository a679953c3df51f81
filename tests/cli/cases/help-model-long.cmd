roofline model --help
