"""How long to wait for a host, and as whom to ask."""

import os
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Patience:
    """How long to wait for a host.

    Parameters
    ----------
    attempts : int
        Requests to one address; 1 or more.
    backoff : float
        Seconds: the second attempt comes at once, the third after 2 x this, then 4 x, 8 x ...
    longest : float
        Seconds; no wait is longer, even if the host asks for it.
    connect, read : float
        Seconds without a connection, or without a byte, after which an attempt is given up.
    """

    attempts: int = 5
    backoff: float = 1.0
    longest: float = 60.0
    connect: float = 15.0
    read: float = 60.0


@dataclass(frozen=True)
class Credentials:
    """User name and password, which no text shows.

    Parameters
    ----------
    user, password : str
        As the host knows them.
    """

    user: str = field(repr=False)
    password: str = field(repr=False)

    @classmethod
    def of_environment(cls, account: str) -> "Credentials | None":
        """Read both from the environment.

        Parameters
        ----------
        account : str
            Prefix: `CRCNS` for `CRCNS_USER` and `CRCNS_PASSWORD`.

        Returns
        -------
        Credentials or None
            Nothing where one of the two is absent or empty.
        """
        found = cls(
            os.environ.get(f"{account}_USER", ""), os.environ.get(f"{account}_PASSWORD", "")
        )
        return found if found.user and found.password else None

    def added_to(self, form: dict[str, str]) -> dict[str, str]:
        """Fill both into the form that is posted.

        Parameters
        ----------
        form : dict of str to str
            The form's other fields.

        Returns
        -------
        dict of str to str
            With `username` and `password`, the names that CRCNS uses.
        """
        return {"username": self.user, "password": self.password, **form}
