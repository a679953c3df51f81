saved measured.json && roofline op triad n=1e8 dtype=f64 --on h100-sxm --instead this
