saved measured.json && roofline machines cpu; roofline machines 9r14
