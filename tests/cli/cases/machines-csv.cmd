roofline machines mi300x --csv
