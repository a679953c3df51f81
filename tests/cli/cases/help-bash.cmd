roofline --generate bash | bash -n && roofline --generate bash
