"""An MCP server with one tool, for recipe 13: any other will do."""

from mcp.server.fastmcp import FastMCP

server = FastMCP("weather", log_level="ERROR")


@server.tool()
def get_weather(city: str) -> str:
    """Get the weather of a city."""
    return f"22 degrees in {city}"


if __name__ == "__main__":
    server.run(transport="stdio")
