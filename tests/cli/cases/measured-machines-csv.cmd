saved measured.json && roofline machines test --csv
