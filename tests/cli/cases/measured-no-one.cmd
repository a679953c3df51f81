saved box.json && roofline op dot n=1e8 --on this:1
