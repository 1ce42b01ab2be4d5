"""Extraction: invoices as text in, pydantic objects out. Python checks every sum, so a wrong total is noticed."""

from any_model import any_model
from progress import PROGRESS
from pydantic import BaseModel, Field

from langchain_toolemu import ChatToolEmu

INVOICES = (
    """Nordic Paper AS - Invoice NP-2041 - 12 January 2026
    10 boxes of copy paper at 24.50 each
    3 staplers at 8.00 each
    Amount due: 269.00 EUR""",
    """INVOICE no. 778/26 from Ortiz Catering
    Lunch for the board meeting: 14 menus, 16.50 per menu.
    Mineral water: 20 bottles, 1.20 per bottle.
    Please pay 255.00 EUR within 14 days.""",
    """Keller Elektro GmbH, Rechnung 2026-0093
    2 x LED panel      59.90
    1 x Installation  120.00
    Total             249.80 EUR""",
)


class Item(BaseModel):
    """One line of an invoice."""

    description: str
    quantity: int
    unit_price: float = Field(description="price of one piece")


class Invoice(BaseModel):
    """An invoice."""

    number: str = Field(description="the invoice's number")
    supplier: str = Field(description="name of the company that sent it")
    items: list[Item]
    total: float = Field(description="the amount to pay, as the invoice states it")

    def computed(self) -> float:
        """What the items add up to."""
        return round(sum(item.quantity * item.unit_price for item in self.items), 2)


def main() -> list[dict]:
    extract = ChatToolEmu(llm=any_model(embedded_can=False)).with_structured_output(Invoice)
    results = []
    for text in INVOICES:
        PROGRESS.say("invoice", text.partition("\n")[0])
        try:
            invoice = extract.invoke(f"Extract the invoice:\n\n{text}", {"callbacks": [PROGRESS]})
        except Exception as error:  # noqa: BLE001 - a text that cannot be read must not stop the others
            PROGRESS.say("failed", f"{type(error).__name__}: {str(error).partition(chr(10))[0]}")
            continue
        for item in invoice.items:
            PROGRESS.say("item", f"{item.quantity} x {item.description} at {item.unit_price:.2f}")
        agrees = invoice.computed() == invoice.total
        told = "agrees" if agrees else f"but the items add up to {invoice.computed():.2f}"
        PROGRESS.say("total", f"{invoice.number}, {invoice.supplier}: {invoice.total:.2f}, {told}")
        results.append({**invoice.model_dump(), "agrees": agrees})
    PROGRESS.say("done", f"{len(results)} of {len(INVOICES)} invoices extracted")
    return results


if __name__ == "__main__":
    main()
