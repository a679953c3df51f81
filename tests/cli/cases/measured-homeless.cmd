unset HOME && roofline op dot n=1e8 --on this
