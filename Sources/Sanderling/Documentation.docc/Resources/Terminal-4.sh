swift run Todo
# cafe ["Café for breakfast"]
# pla ["Water the plants"]
# door paint ["Paint the door"]
