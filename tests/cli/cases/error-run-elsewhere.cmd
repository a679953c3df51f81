roofline op triad n=1e6 --on h100-sxm --run
