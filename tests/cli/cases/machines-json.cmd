roofline machines mi300x --json
