roofline op triad n=1e8 --on t4 -o x.csv && cat x.csv && ls
