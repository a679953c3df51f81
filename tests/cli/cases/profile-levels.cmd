roofline profile profiles/levels.csv --on profiles/cache.json --chart --level all
