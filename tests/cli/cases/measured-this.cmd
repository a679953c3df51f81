saved measured.json && roofline op triad n=1e8 dtype=f64 --on this:1,this,a100-sxm-80 --instead h100-sxm
