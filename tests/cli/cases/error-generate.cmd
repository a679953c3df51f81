roofline --generate tcsh
