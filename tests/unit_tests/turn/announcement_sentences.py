"""What replies end with in each language: announcements of a call, and answers that mention a tool."""

NAMES = (
    "get_weather", "search_files", "read_file", "delete_file", "search", "weather", "add", "time",
)  # fmt: skip

ANNOUNCEMENTS = {
    "English": [
        "I'll call get_weather for Paris now.",
        "Let me use `search_files` to find it.",
        "Now I need to run read_file:",
        "Next, I'm going to invoke the get_weather tool.",
        "Calling get_weather...",
        "We need to call get_weather.",
        "I'll check the weather in Paris using get_weather.",
        "Let me look up St. Louis with the `get_weather` tool. 🌤️",
        "I'll use the search tool to find this.",
        'Let me run `search(query="x y")` now:',
        "**Let me call `get_weather` for that.**",
        "The file does not exist, so I'll use search_files to find it.",
        "I'll call get_weather, one moment please...",
        "Let me call search_files to check if it exists.",
    ],
}

ANSWERS = {
    "English": [
        "Shall I call get_weather?",
        "Would you like me to use get_weather?",
        "I can call get_weather for you.",
        "If you tell me the city, I'll call get_weather.",
        "Once you confirm, I will run delete_file.",
        "Please provide the path so that I can use read_file.",
        "I won't call get_weather.",
        "I will not use get_weather.",
        "I called get_weather and it says 21 degrees.",
        "get_weather takes a city.",
        "You can use get_weather.",
        "The agent will call get_weather.",
        'He said "I\'ll call get_weather now."',
        '"Hello there. I\'ll call get_weather now."',
        "Let me search the web for it.",
        "I'll add time to that.",
        "Calling get_weather for Paris is slow.",
        "I'll call get_weather now. It is sunny in Paris.",
        "I'll show you how to use get_weather.",
        "> I'll call get_weather now.",
        "I'll summarize the get_weather output.",
        "I'll edit get_weather.py now.",
        "```\nI'll call get_weather now.",
    ],
}
