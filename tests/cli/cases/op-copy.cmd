roofline op copy n=100M dtype=f32 --on mi300x
