"""Everyday requests in twelve languages for the errands' tools, and messages that want none of them."""

from typing import Any

REQUESTS: list[tuple[str, str, dict[str, Any]]] = [
    ("Stell einen Timer auf 12 Minuten.", "set_timer", {"minutes": 12}),
    ("Mach bitte das Licht in der Küche aus.", "switch_light", {"room": ["Küche", "der Küche", "in der Küche", "kitchen"], "on": False}),
    ("Wie steht die Aktie SAP gerade?", "stock_price", {"symbol": "SAP"}),
    ("Joue La Vie en rose d'Édith Piaf.", "play_song", {"title": "La Vie en rose", "artist": ["Édith Piaf", "Edith Piaf"]}),
    ("Combien font 80 EUR en CHF ?", "convert_currency", {"amount": 80, "from_currency": "EUR", "to_currency": "CHF"}),
    ("Allume la lumière du salon.", "switch_light", {"room": ["salon", "le salon", "du salon", "living room"], "on": True}),
    ("Pon un temporizador de 20 minutos.", "set_timer", {"minutes": 20}),
    ("Apaga la luz del garaje.", "switch_light", {"room": ["garaje", "el garaje", "garage"], "on": False}),
    ("Reserva una mesa para cuatro en Casa Pepe a las 21:00.", "book_table", {"restaurant": "Casa Pepe", "people": 4, "time": ["21:00", "9:00 PM", "9 pm"]}),
    ("Quanto sono 150 USD in EUR?", "convert_currency", {"amount": 150, "from_currency": "USD", "to_currency": "EUR"}),
    ("Cerca la parola 'contratto' nei miei file.", "search_files", {"query": "contratto"}),
    ("Ponha um temporizador de 8 minutos.", "set_timer", {"minutes": 8}),
    ("Quanto custa agora uma ação da TSLA?", "stock_price", {"symbol": "TSLA"}),
    ("Doe het licht in de slaapkamer aan.", "switch_light", {"room": ["slaapkamer", "de slaapkamer", "bedroom"], "on": True}),
    ("Zet 'tandarts' op 2025-04-10 in mijn agenda.", "create_event", {"title": ["tandarts", "dentist"], "date": "2025-04-10"}),
    ("Ustaw minutnik na 6 minut.", "set_timer", {"minutes": 6}),
    ("Ile to jest 300 PLN w EUR?", "convert_currency", {"amount": 300, "from_currency": "PLN", "to_currency": "EUR"}),
    ("Mutfaktaki ışığı kapat.", "switch_light", {"room": ["mutfak", "mutfaktaki", "kitchen"], "on": False}),
    ("15 dakikalık bir zamanlayıcı kur.", "set_timer", {"minutes": 15}),
    ("Включи свет в ванной.", "switch_light", {"room": ["ванная", "ванной", "в ванной", "ванная комната", "bathroom"], "on": True}),
    ("Сколько сейчас стоит акция AAPL?", "stock_price", {"symbol": "AAPL"}),
    ("请设一个25分钟的计时器。", "set_timer", {"minutes": 25}),
    ("500 CNY 等于多少 USD？", "convert_currency", {"amount": 500, "from_currency": "CNY", "to_currency": "USD"}),
    ("寝室の電気を消してください。", "switch_light", {"room": ["寝室", "bedroom"], "on": False}),
    ("タイマーを3分にセットして。", "set_timer", {"minutes": 3}),
    ("اضبط مؤقتًا لمدة 10 دقائق.", "set_timer", {"minutes": 10}),
]  # fmt: skip
"""What is asked, the tool that does it, and its arguments: a list holds every spelling that is right."""

IDLE = [
    "Wer hat die Mona Lisa gemalt?",
    "Danke, das war alles für heute.",
    "Pourquoi le ciel est-il bleu ?",
    "¿Cuál es la montaña más alta del mundo?",
    "Consigliami un buon romanzo.",
    "Bom dia, tudo bem?",
    "Ik ga vandaag vroeg naar bed.",
    "Dlaczego koty mruczą?",
    "Örümceğin kaç bacağı vardır?",
    "Объясни, что такое инфляция.",
    "水的化学式是什么？",
    "お茶とコーヒー、どちらが好きですか？",
    "ما هو أقرب كوكب إلى الشمس؟",
]
"""What none of these tools does."""
