"""Fifteen tasks in which the second step needs what the first one gives: an id, an address, a number nobody said.

A step with a made-up value is a wrong call, and a task in which one was made is not done.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

_ORDERS = {
    "ana": "A-7731",
    "boris": "B-4096",
    "carla": "C-1184",
    "david": "D-9920",
    "emil": "E-3307",
}
_EMAILS = {
    "ana": "ana.k@mail.example",
    "boris": "b99@post.example",
    "carla": "carla@web.example",
    "david": "dv@mail.example",
    "emil": "emil@inbox.example",
}
_PRICES = {"lamp": 39, "chair": 120, "desk": 310, "shelf": 85, "mirror": 64}


@dataclass
class Shop:
    """What the tools see and change; `wrong` holds the calls with values that were not given."""

    done: list[tuple[str, str]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def tools(self) -> list[Callable[..., Any]]:
        """The tools of the shop."""

        def find_order(customer: str) -> str:
            """Find the id of a customer's latest order."""
            order = _ORDERS.get(customer.lower())
            return f"order id: {order}" if order else self._refuse(f"find_order {customer}")

        def cancel_order(order_id: str) -> str:
            """Cancel an order by its id."""
            return self._with_order("cancel", order_id)

        def track_order(order_id: str) -> str:
            """Say where an order is, by its id."""
            return self._with_order("track", order_id)

        def find_email(customer: str) -> str:
            """Find the email address of a customer."""
            address = _EMAILS.get(customer.lower())
            return address if address else self._refuse(f"find_email {customer}")

        def send_email(address: str, text: str) -> str:
            """Send an email to an address."""
            if address not in _EMAILS.values():
                return self._refuse(f"send_email {address}")
            self.done.append(("email", address))
            return "sent"

        def find_price(product: str) -> str:
            """Find the price of a product in euros."""
            price = _PRICES.get(product.lower())
            return f"{price} euros" if price else self._refuse(f"find_price {product}")

        def create_invoice(customer: str, euros: float) -> str:
            """Create an invoice for a customer over an amount in euros."""
            if euros not in _PRICES.values():
                return self._refuse(f"create_invoice {euros}")
            self.done.append(("invoice", f"{customer.lower()} {euros:g}"))
            return "invoice created"

        return [
            find_order, cancel_order, track_order, find_email, send_email, find_price, create_invoice,
        ]  # fmt: skip

    def _with_order(self, what: str, order_id: str) -> str:
        if order_id not in _ORDERS.values():
            return self._refuse(f"{what} {order_id}")
        self.done.append((what, order_id))
        return f"{what}: ok"

    def _refuse(self, what: str) -> str:
        self.wrong.append(what)
        return "error: there is no such thing"


@dataclass(frozen=True)
class Chain:
    """A question, and what must have been done in the end."""

    question: str
    wanted: tuple[str, str]

    def is_done(self, shop: Shop) -> bool:
        """Whether it was done, and nothing was called with a made-up value."""
        return self.wanted in shop.done and not shop.wrong


CHAINS = [
    *(Chain(f"Cancel {name}'s latest order.", ("cancel", _ORDERS[name.lower()])) for name in ("Ana", "Boris", "Carla")),
    *(Chain(f"Where is the latest order of {name}?", ("track", _ORDERS[name.lower()])) for name in ("David", "Emil", "Ana")),
    *(Chain(f"Write an email to {name} that says: your parcel is on its way.", ("email", _EMAILS[name.lower()])) for name in ("Boris", "Carla", "David")),
    *(Chain(f"Find the email address of {name}, then send a thank you note to it.", ("email", _EMAILS[name.lower()])) for name in ("Emil", "Ana", "Boris")),
    *(Chain(f"Make an invoice for {name} over the price of a {product}.", ("invoice", f"{name.lower()} {_PRICES[product]}")) for name, product in (("Carla", "lamp"), ("David", "desk"), ("Emil", "mirror"))),
]  # fmt: skip
