swift run Todo first.sqlite "Paint the door"
# ["Paint the door"]

# In another terminal:
swift run Todo second.sqlite "Water the plants"
# ["Water the plants"]
# ["Paint the door", "Water the plants"]
