roofline measure --help
