#!/usr/bin/env python3
"""A plain REST server, as a team would write it, which synchronisation is tested against. Needs Python 3 and nothing else.

    server.py FILE PORT [SECRET]    serves the collections of an SQLite file on loopback

    POST   /v1/auth/token {"api_key", "seconds"}    {"access_token", "expires_in"}: a signed token of 60 seconds, unless fewer are asked for
    PUT    /v1/collections/NAME {"columns": {"title": {"max": 40}}}    makes a collection anew
    GET    /v1/NAME?limit&updated_since&cursor    {"data": [row], "meta": {"next_cursor"}}: at most 500 rows, 100 unless asked, by (updated_at, id)
    GET    /v1/NAME/ID    the row, with an ETag that is its version
    PUT    /v1/NAME/ID    replaces the row: a column that isn't in the body is null then
    PATCH  /v1/NAME/ID    changes the columns of the body
    DELETE /v1/NAME/ID    sets deleted_at

If-Match and If-None-Match: * are looked at, 412 otherwise. A row that was deleted is there, with deleted_at. An unknown column is 422, and nothing
is written. All else needs the token: 401 without one.
"""
import base64
import datetime
import hashlib
import hmac
import json
import os
import sqlite3
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

SECRET = (sys.argv[3] if len(sys.argv) > 3 else os.environ.get("SANDERLING_SERVER_SECRET", "secret")).encode()
API_KEY = "test"
LONGEST_TOKEN = 60
SERVER_COLUMNS = {"id", "version", "updated_at", "deleted_at"}


class Answer(Exception):
    """Ends a request with a status and a body."""

    def __init__(self, status, body=None, headers=None):
        super().__init__(status)
        self.status, self.body, self.headers = status, body, headers or {}


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def signed(text):
    return encoded(hmac.new(SECRET, text.encode(), hashlib.sha256).digest())


def new_token(seconds):
    head = encoded(json.dumps({"alg": "HS256", "typ": "JWT"}).encode())
    content = encoded(json.dumps({"exp": time.time() + seconds}).encode())
    return f"{head}.{content}.{signed(head + '.' + content)}"


def is_valid(token):
    try:
        head, content, signature = token.split(".")
        expires = json.loads(decoded(content))["exp"]
    except (ValueError, KeyError, TypeError):
        return False
    return hmac.compare_digest(signature, signed(head + "." + content)) and expires > time.time()


class Collections:
    """The rows of all collections. One request at a time reads or writes them, so that times are in the order of the commits."""

    def __init__(self, path):
        self.lock = threading.Lock()
        self.database = sqlite3.connect(path, check_same_thread=False)
        self.database.execute("PRAGMA journal_mode = WAL")
        self.database.execute("CREATE TABLE IF NOT EXISTS collections (name TEXT PRIMARY KEY, columns TEXT NOT NULL)")
        self.database.execute(
            "CREATE TABLE IF NOT EXISTS rows (collection TEXT, id TEXT, data TEXT, version INTEGER, updated_at TEXT, "
            "deleted_at TEXT, PRIMARY KEY (collection, id))")
        self.database.execute("CREATE INDEX IF NOT EXISTS rows_updated ON rows (collection, updated_at, id)")
        self.database.commit()
        self.last = self.database.execute("SELECT max(updated_at) FROM rows").fetchone()[0] or ""

    def now(self):
        moment = datetime.datetime.now(datetime.timezone.utc)
        text = self.text(moment)
        if text <= self.last:
            moment = datetime.datetime.fromisoformat(self.last.replace("Z", "+00:00"))
            text = self.text(moment + datetime.timedelta(microseconds=1))
        self.last = text
        return text

    @staticmethod
    def text(moment):
        return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")

    def make(self, name, columns):
        self.database.execute("DELETE FROM rows WHERE collection = ?", (name,))
        self.database.execute("INSERT OR REPLACE INTO collections VALUES (?, ?)", (name, json.dumps(columns)))
        self.database.commit()

    def columns(self, name):
        found = self.database.execute("SELECT columns FROM collections WHERE name = ?", (name,)).fetchone()
        if not found:
            raise Answer(404, {"error": "no_such_collection"})
        return json.loads(found[0])

    def shown(self, row, columns):
        identifier, data, version, updated, deleted = row
        values = json.loads(data)
        return {"id": identifier, **{column: values.get(column) for column in columns}, "version": version,
                "updated_at": updated, "deleted_at": deleted}

    def list(self, name, query):
        columns = self.columns(name)
        try:
            limit = min(max(int(query.get("limit", "100")), 1), 500)
        except ValueError:
            raise Answer(400, {"error": "limit"}) from None
        after, key = query.get("updated_since", ""), ""
        if "cursor" in query:
            try:
                after, key = json.loads(decoded(query["cursor"]))
            except ValueError:
                raise Answer(400, {"error": "cursor"}) from None
        rows = self.database.execute(
            "SELECT id, data, version, updated_at, deleted_at FROM rows WHERE collection = ? AND (updated_at, id) > (?, ?) "
            "ORDER BY updated_at, id LIMIT ?", (name, after, key, limit + 1)).fetchall()
        page = rows[:limit]
        following = encoded(json.dumps([page[-1][3], page[-1][0]]).encode()) if len(rows) > limit else None
        return {"data": [self.shown(row, columns) for row in page], "meta": {"next_cursor": following}}

    def row(self, name, identifier):
        return self.database.execute(
            "SELECT id, data, version, updated_at, deleted_at FROM rows WHERE collection = ? AND id = ?",
            (name, identifier)).fetchone()

    def change(self, method, name, identifier, body, if_match, if_none_match):
        columns, present = self.columns(name), self.row(name, identifier)
        if if_match is not None and (not present or if_match.strip('"') != str(present[2])):
            raise Answer(412, {"error": "precondition_failed"})
        if if_none_match == "*" and present:
            raise Answer(412, {"error": "exists"})
        if not present and method != "PUT":
            raise Answer(404, {"error": "not_found"})
        version, now = (present[2] if present else 0) + 1, self.now()
        if method == "DELETE":
            self.write(name, identifier, present[1], version, now, now)
            raise Answer(204)
        unknown = sorted(set(body) - set(columns) - SERVER_COLUMNS)
        if unknown:
            raise Answer(422, {"error": "validation", "fields": unknown})
        values = {column: body[column] for column in columns if column in body}
        if method == "PATCH":
            values = {**json.loads(present[1]), **values}
        for column, rule in columns.items():
            longest = (rule or {}).get("max")
            if longest and isinstance(values.get(column), str) and len(values[column]) > longest:
                raise Answer(422, {"error": f"{column} is too long"})
        self.write(name, identifier, json.dumps(values), version, now, None)
        row = self.shown(self.row(name, identifier), columns)
        raise Answer(200 if present else 201, row, {"ETag": f'"{version}"'})

    def write(self, name, identifier, data, version, updated, deleted):
        self.database.execute(
            "INSERT OR REPLACE INTO rows VALUES (?, ?, ?, ?, ?, ?)", (name, identifier, data, version, updated, deleted))
        self.database.commit()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def log_message(self, *_):
        pass

    def body(self):
        data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            body = json.loads(data) if data else {}
        except ValueError:
            raise Answer(400, {"error": "no_json"}) from None
        if not isinstance(body, dict):
            raise Answer(400, {"error": "no_object"})
        return body

    def respond(self):
        address = urlsplit(self.path)
        query = {name: values[-1] for name, values in parse_qs(address.query).items()}
        parts = [unquote(part) for part in address.path.strip("/").split("/")]
        body = self.body()
        if parts == ["v1", "health"]:
            raise Answer(200, {"status": "ok"})
        if parts == ["v1", "auth", "token"] and self.command == "POST":
            if body.get("api_key") != API_KEY:
                raise Answer(401, {"error": "api_key"})
            seconds = min(body.get("seconds", LONGEST_TOKEN), LONGEST_TOKEN)
            raise Answer(200, {"access_token": new_token(seconds), "expires_in": seconds})
        if not is_valid((self.headers.get("Authorization") or "").removeprefix("Bearer ")):
            raise Answer(401, {"error": "token_expired"})
        if parts[0] != "v1" or len(parts) not in (2, 3):
            raise Answer(404, {"error": "not_found"})
        with collections.lock:
            if len(parts) == 2 and self.command == "GET":
                raise Answer(200, collections.list(parts[1], query))
            if len(parts) == 3 and parts[1] == "collections" and self.command == "PUT":
                collections.make(parts[2], body.get("columns", {}))
                raise Answer(201, {})
            if len(parts) == 3 and self.command == "GET":
                columns, row = collections.columns(parts[1]), collections.row(parts[1], parts[2])
                if not row:
                    raise Answer(404, {"error": "not_found"})
                raise Answer(200, collections.shown(row, columns), {"ETag": f'"{row[2]}"'})
            if len(parts) == 3 and self.command in ("PUT", "PATCH", "DELETE"):
                collections.change(
                    self.command, parts[1], parts[2], body, self.headers.get("If-Match"), self.headers.get("If-None-Match"))
        raise Answer(405, {"error": "method"})

    def answer(self):
        try:
            self.respond()
        except Answer as answer:
            data = b"" if answer.body is None else json.dumps(answer.body).encode()
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            if data:
                self.send_header("Content-Type", "application/json")
            if answer.status != 204:
                self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
            self.wfile.flush()

    do_GET = do_PUT = do_PATCH = do_DELETE = do_POST = answer


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64


if __name__ == "__main__":
    collections = Collections(sys.argv[1])
    Server(("127.0.0.1", int(sys.argv[2])), Handler).serve_forever()
