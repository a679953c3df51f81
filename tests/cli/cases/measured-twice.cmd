saved measured.json && roofline op dot n=1e8 --on this,this
