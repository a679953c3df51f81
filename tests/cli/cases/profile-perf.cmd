roofline profile profiles/perf.txt --on epyc-7763
