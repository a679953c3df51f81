typedef int room_is_empty_for_now;
