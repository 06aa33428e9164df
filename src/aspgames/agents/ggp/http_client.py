"""Messages to a player over HTTP."""

from __future__ import annotations

import re
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

from ...runtime.errors import BadRequest, EngineFailed

PORT = 9147
"""The default port of players."""

_LONGEST = 1_000_000  # bytes of an answer


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a player."""

    host: str
    port: int
    path: str = "/"

    @staticmethod
    def read(text: str) -> Address:
        """Read ``http://HOST:PORT`` or ``HOST:PORT``. Raises ``BadRequest``."""
        full = text if "://" in text else f"http://{text}"
        try:
            parts = urlsplit(full)
            port = PORT if parts.port is None else parts.port
        except ValueError:
            parts, port = None, 0
        if not (parts and parts.scheme == "http" and parts.hostname and port):
            raise BadRequest(f"{text!r} is not the address of a player: give http://HOST:PORT")
        path = re.sub(r"[^!-~]", "", parts.path) or "/"
        return Address(parts.hostname, port, path)

    def __str__(self) -> str:
        return f"http://{self.host}:{self.port}"


def ask(player: Address, text: str, seconds: float, name: str = "") -> str:
    """A player's answer to a message; each network operation may take ``seconds``.

    Raises ``OSError`` (``TimeoutError`` after that time) and ``EngineFailed``.
    """
    connection = HTTPConnection(player.host, player.port, timeout=max(seconds, 0.01))
    headers = {
        "Accept": "text/delim",
        "Sender": "GAMESERVER",
        "Receiver": re.sub(r"[^!-~]", "", name),
        "Content-Type": "text/acl",
    }
    try:
        connection.request("POST", player.path, text.encode(), headers)
        response = connection.getresponse()
        body = response.read(_LONGEST + 1)
    except (HTTPException, UnicodeError) as error:
        raise EngineFailed(f"no answer in HTTP: {error!r}") from None
    finally:
        connection.close()
    if len(body) > _LONGEST:
        raise EngineFailed(f"the answer is longer than {_LONGEST:,} bytes")
    answer = body.decode(errors="replace")
    if response.status != 200:
        raise EngineFailed(f"the answer is an error, {response.status}: {answer.strip()[:200]}")
    return answer
