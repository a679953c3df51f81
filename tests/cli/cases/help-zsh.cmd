roofline --generate zsh
