"""What models say around a call. No sentence names a tool, so what is shown of a reply can be checked."""

BEFORE = (
    "Sure! Here is the call you asked for:",
    "I will look that up for you.",
    "Let me check (one moment, please).",
    "To answer this, I'll use one of the tools.",
    "Based on your question, the following should work:",
    "**Step 1:** get the data.",
    'Okay - "let\'s see" what we can find.',
)
AFTER = (
    "Let me know if you need anything else!",
    "This will give us the answer.",
    "Once I have the result, I'll explain it.",
    "Note: the result may take a moment.",
    "I hope this helps :)",
    "Shall I go on?",
)
THOUGHTS = (
    "The user wants to know something, and one of the tools fits.",
    "I need to look this up first.",
    "I should find out before I answer.",
)
EVERY = (*BEFORE, *AFTER, *THOUGHTS)
