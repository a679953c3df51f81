roofline profile profiles/kernels.csv --on h100-sxm -o page.html >/dev/null && grep '<h2>What would help\|<h3>\|<li class="[hlw]\|<summary>\|id="row-point-0"' page.html
