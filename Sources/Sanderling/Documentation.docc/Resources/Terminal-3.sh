swift run Todo
# []
# ["Paint the door"]
# ["Paint the door", "Water the plants"]
# ["Water the plants"]
