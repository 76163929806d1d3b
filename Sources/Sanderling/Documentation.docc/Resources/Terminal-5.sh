python3 -m venv server
server/bin/pip install kinto
server/bin/kinto init --backend memory --cache-backend memory
server/bin/kinto start
