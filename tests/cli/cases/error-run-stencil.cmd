roofline op stencil points=6 nx=100 ny=100 --on this.json --run
