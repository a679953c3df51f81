roofline op triad n=1e6 --on this.json --run --measured 1ms
