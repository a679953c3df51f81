roofline op triad n=1e8 dtype=f32 --on t4 -o x.json && cat x.json
