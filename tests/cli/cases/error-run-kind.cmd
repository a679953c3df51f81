roofline op fft n=1024 --on this.json --run
