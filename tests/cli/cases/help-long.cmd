roofline --help
