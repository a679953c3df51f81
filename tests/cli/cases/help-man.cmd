roofline --generate man
