"""Twenty schemas, each with a text that fills it and what must come out."""

from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, create_model


class Filled(NamedTuple):
    """A schema, a text, and the values that the text holds."""

    schema: type[BaseModel]
    text: str
    values: dict[str, Any]


def _schema(called: str, purpose: str, /, **fields: Any) -> type[BaseModel]:
    return create_model(
        called, __doc__=purpose, **{key: (kind, ...) for key, kind in fields.items()}
    )


CASES = [
    Filled(_schema("Person", "A person.", name=str, age=int), "Ann is 42 years old.", {"name": "Ann", "age": 42}),
    Filled(_schema("City", "A city.", name=str, country=str), "Lyon is a city in France.", {"name": "Lyon", "country": "France"}),
    Filled(_schema("Sentiment", "The mood of a text.", mood=Literal["good", "bad"]), "I love this phone, it is great!", {"mood": "good"}),
    Filled(_schema("Price", "What something costs.", item=str, euros=float), "The lamp costs 19.5 euros.", {"item": "lamp", "euros": 19.5}),
    Filled(_schema("Meeting", "A meeting.", day=str, hour=int), "We meet on Monday at 9.", {"day": "Monday", "hour": 9}),
    Filled(_schema("Email", "An email address.", address=str), "Write to bob@example.org please.", {"address": "bob@example.org"}),
    Filled(_schema("Book", "A book.", title=str, author=str), "Emma was written by Jane Austen.", {"title": "Emma", "author": "Jane Austen"}),
    Filled(_schema("Spam", "Whether a text is spam.", spam=bool), "WIN A FREE PRIZE NOW!!! This is spam.", {"spam": True}),
    Filled(_schema("Shopping", "A shopping list.", items=list[str]), "Buy milk and eggs.", {"items": ["milk", "eggs"]}),
    Filled(_schema("Flight", "A flight.", origin=str, destination=str), "I fly from Oslo to Rome.", {"origin": "Oslo", "destination": "Rome"}),
    Filled(_schema("Score", "The score of a game.", home=int, guest=int), "The home team won 3 to 1.", {"home": 3, "guest": 1}),
    Filled(_schema("Pet", "A pet.", name=str, animal=str), "Rex is a dog.", {"name": "Rex", "animal": "dog"}),
    Filled(_schema("Language", "The language of a text.", language=Literal["English", "French"]), "Bonjour, comment allez-vous? This is French.", {"language": "French"}),
    Filled(_schema("Temperature", "A temperature.", celsius=int), "It is 21 degrees Celsius.", {"celsius": 21}),
    Filled(_schema("Phone", "A phone number.", number=str), "Call 555-0134.", {"number": "555-0134"}),
    Filled(_schema("Order", "An order.", product=str, quantity=int), "I would like 4 chairs.", {"product": "chairs", "quantity": 4}),
    Filled(_schema("Birthday", "A birthday.", name=str, year=int), "Tom was born in 1990.", {"name": "Tom", "year": 1990}),
    Filled(_schema("Car", "A car.", brand=str, colour=str), "She drives a red Fiat.", {"brand": "Fiat", "colour": "red"}),
    Filled(_schema("Numbers", "The numbers in a text.", numbers=list[int]), "The numbers are 4, 8 and 15.", {"numbers": [4, 8, 15]}),
    Filled(_schema("Answer", "An answer to a question.", yes=bool), "Is water wet? The answer is yes.", {"yes": True}),
]  # fmt: skip
