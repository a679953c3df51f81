roofline --version
