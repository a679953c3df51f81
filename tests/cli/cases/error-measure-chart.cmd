roofline measure -o chart.svg
