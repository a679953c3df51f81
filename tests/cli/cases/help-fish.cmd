roofline --generate fish
