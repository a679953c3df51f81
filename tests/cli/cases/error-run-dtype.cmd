roofline op triad n=1e6 dtype=bf16 --on this.json --run
