roofline op triad n=1e6 --on this.json --threads 2
