printf '\357\273\27764, 12288, 12288, 0.1900ms, 101.7Tflops\n' | roofline profile - --on a100-sxm-80
