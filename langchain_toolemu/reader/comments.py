"""Comments between the tokens of a value: `// ...`, `# ...` and `/* ... */`. Sample comments."""

from langchain_toolemu.reader.cursor import REST_OF_LINE, Cursor, Waiting


def skip_comment(cursor: Cursor, char: str) -> Waiting[bool]:
    """Consume a comment; `False` if none starts here."""
    if char == "/":
        ahead, certain = cursor.ahead(2)
        while not certain:
            yield
            ahead, certain = cursor.ahead(2)
        if ahead == "/*":
            yield from _skip_block(cursor)
            return True
        if ahead != "//":
            return False
    yield from cursor.run(REST_OF_LINE)
    return True


def _skip_block(cursor: Cursor) -> Waiting[None]:
    cursor.pos += 2
    while (end := cursor.window.find("*/", cursor.pos)) < 0:
        # A star at the window's end may be half of the closer.
        cursor.pos = max(cursor.pos, len(cursor.window) - cursor.window.endswith("*"))
        if cursor.ended:
            cursor.pos = len(cursor.window)
            return
        yield
    cursor.pos = end + 2
