roofline op triad n=1e6 --on this.json,h100-sxm --run
