"""Nobody but the lab's own page gets in: foreign hosts, origins, tokens, bodies and paths are refused."""

import json

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from rosenblatt.lab.limits import MAX_BODY
from rosenblatt.lab.server.app import lab_app

PORT = 4321
TOKEN = "a-token-of-this-test"
ROOT = f"http://127.0.0.1:{PORT}"
QUESTION = {"x": [[5, 7], [2, 6]], "y": [1, 0], "rule": {"tie": "negative"}}


@pytest.fixture(scope="module")
def outside():
    """Somebody without the cookie."""
    with TestClient(lab_app(port=PORT, token=TOKEN), base_url=ROOT) as client:
        yield client


@pytest.fixture
def inside(outside):
    """The page itself: it has entered by the printed address, and names its origin."""
    outside.cookies.clear()
    assert outside.get(f"/?token={TOKEN}").status_code == 200
    outside.headers["origin"] = ROOT
    yield outside
    outside.cookies.clear()
    del outside.headers["origin"]


def post(client, path="/api/run", **options):
    return client.post(path, **({"json": QUESTION} | options))


def test_the_page_can_ask_and_is_answered_by_events(inside):
    answer = post(inside)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/event-stream"
    events = [block.split("\n") for block in answer.text.strip().split("\n\n")]
    assert events[-1][0] == "event: answer"
    assert json.loads(events[-1][1].removeprefix("data: "))["ending"]["status"] == "separated"


def test_the_cookie_is_strict_and_out_of_reach_of_scripts(outside):
    outside.cookies.clear()
    cookie = outside.get(f"/?token={TOKEN}").headers["set-cookie"]
    assert cookie == f"rosenblatt_lab_{PORT}={TOKEN}; Path=/; HttpOnly; SameSite=Strict"
    outside.cookies.clear()


@pytest.mark.parametrize("path", ["/", "/static/main.js", "/api/catalogue", "/api/shell", "/nowhere"])
@pytest.mark.parametrize("query", ["", "?token=", "?token=wrong", f"?token={TOKEN}&token={TOKEN}", "?token=%ff"])
def test_without_the_token_nothing_is_shown(outside, path, query):
    answer = outside.get(path + query)
    assert answer.status_code == 403
    assert TOKEN not in answer.text
    assert "set-cookie" not in answer.headers


def test_the_token_opens_only_the_page(outside):
    assert outside.get(f"/api/catalogue?token={TOKEN}").status_code == 403
    assert outside.post(f"/?token={TOKEN}", json={}, headers={"origin": ROOT}).status_code == 403


@pytest.mark.parametrize("value", ["", "wrong", TOKEN[:-1], TOKEN + "x", '"', "ünï"])
def test_a_wrong_cookie_is_refused(outside, value):
    header = f"rosenblatt_lab_{PORT}={value}".encode()
    assert outside.get("/", headers={"cookie": header}).status_code == 403


def test_the_cookie_of_another_port_is_refused(outside):
    assert outside.get("/", headers={"cookie": f"rosenblatt_lab_1={TOKEN}"}).status_code == 403


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        f"evil.example:{PORT}",
        f"127.0.0.1.evil.example:{PORT}",
        f"localhost.evil.example:{PORT}",
        "127.0.0.1",
        "localhost",
        "127.0.0.1:80",
        f"127.0.0.1:{PORT}:{PORT}",
        f"127.0.0.1:{PORT} ",
        f"0.0.0.0:{PORT}",
        f"[::]:{PORT}",
        f"::1:{PORT}",
        f"user@127.0.0.1:{PORT}",
        f"127.0.0.1:{PORT}/",
        "",
    ],
)
def test_a_foreign_host_is_refused_even_with_the_cookie(inside, host):
    for answer in (inside.get("/", headers={"host": host}), post(inside, headers={"host": host})):
        assert answer.status_code == 421


def test_two_host_headers_are_refused(inside):
    headers = [("host", f"127.0.0.1:{PORT}"), ("host", "evil.example")]
    assert inside.get("/", headers=headers).status_code == 421


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
def test_our_own_hosts_are_answered(inside, host):
    cookies = {f"rosenblatt_lab_{PORT}": TOKEN}
    headers = {"host": f"{host}:{PORT}", "cookie": "; ".join(f"{k}={v}" for k, v in cookies.items())}
    assert inside.get("/", headers=headers).status_code == 200


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "",
        f"https://127.0.0.1:{PORT}",
        f"http://localhost:{PORT}",
        "http://127.0.0.1",
        f"http://127.0.0.1:{PORT + 1}",
        f"http://127.0.0.1:{PORT}/",
    ],
)
def test_a_foreign_origin_may_ask_for_nothing(inside, origin):
    answer = post(inside, headers={"origin": origin})
    assert answer.status_code == 403


def test_a_request_for_work_without_an_origin_is_refused(inside):
    del inside.headers["origin"]
    assert post(inside).status_code == 403
    inside.headers["origin"] = ROOT


@pytest.mark.parametrize(
    "kind",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "text/plain; application/json"],
)
def test_what_a_foreign_form_could_send_is_refused(inside, kind):
    answer = post(inside, json=None, content=json.dumps(QUESTION), headers={"content-type": kind})
    assert answer.status_code == 415


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[" * 5000, b'{"x": 1e'])
def test_a_malformed_body_is_refused(inside, content):
    answer = post(inside, json=None, content=content, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert "JSON" in answer.json()["message"]


@pytest.mark.parametrize("content", [b"null", b"[]", b'"x"', b"{}", b'{"x": NaN, "y": []}'])
def test_json_that_is_no_question_is_refused_in_words(inside, content):
    answer = post(inside, json=None, content=content, headers={"content-type": "application/json"})
    assert "event: refused" in answer.text


def test_an_oversized_body_is_refused_whether_it_says_so_or_not(inside):
    headers = {"content-type": "application/json"}
    assert post(inside, json=None, content=b" " * (MAX_BODY + 1), headers=headers).status_code == 413

    def parts():
        for _ in range(5):
            yield b" " * (1 << 20)

    assert post(inside, json=None, content=parts(), headers=headers).status_code == 413


@pytest.mark.parametrize("length", ["-1", "x", "99999999999999999999", "1e3"])
def test_a_strange_content_length_is_refused(inside, length):
    headers = {"content-type": "application/json", "content-length": length}
    assert post(inside, json=None, content=b"{}", headers=headers).status_code == 413


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e/%2e%2e/conventions/dialects.py",
        "/static//etc/passwd",
        "/static/....//app.py",
        "/static/main.js%00.html",
        "/static/",
        "/static/panels",
        "/static/C:/windows/win.ini",
        "/etc/passwd",
        "/api/data/../../x",
        "/api/eval",
    ],
)
def test_a_path_leads_nowhere_but_to_the_pages_files(inside, path):
    answer = inside.get(path)
    assert answer.status_code in (404, 405)
    assert "import" not in answer.text
    assert "root:" not in answer.text


@pytest.mark.parametrize("path", ["/", "/static/ui/style.css", "/api/catalogue", "/nowhere"])
def test_every_answer_carries_the_headers_that_keep_others_out(inside, path):
    headers = inside.get(path).headers
    assert headers["content-security-policy"].startswith("default-src 'self'; ")
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["x-frame-options"] == "DENY"
    assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS"])
def test_other_methods_do_nothing(inside, method):
    answer = inside.request(method, "/api/run", json=QUESTION)
    assert answer.status_code == 405


def test_there_is_no_websocket_for_anybody(inside):
    for headers in ({}, {"origin": "http://evil.example"}):
        with pytest.raises(WebSocketDisconnect), inside.websocket_connect("/api/run", headers=headers):
            pass


def test_a_question_never_names_a_file(inside):
    answer = post(inside, "/api/data", json={"name": "/etc/passwd"})
    assert "event: refused" in answer.text
    assert "no built-in data set" in answer.text
