"""What a tool does: by its author's mark, the hints of an MCP server, the verb of its name, or its description."""

import pytest
from langchain_core.tools import StructuredTool

from langchain_toolemu import ChatToolEmu
from langchain_toolemu.policy.tool_kinds import has_known_kind, is_named_as_answer, kind_of, verb_of
from langchain_toolemu.tools import ToolSpec, read_tools, to_openai_tools
from langchain_toolemu.tools.specs import ToolSetCache
from tests.essence import calls
from tests.scripted_server import Reply, ScriptedServer
from tests.tables import every_row
from tests.toy_models import Binding, TakesAnyTool
from tests.ways import WAYS, ask

SCHEMA = {"type": "object", "properties": {"minutes": {"type": "integer"}}, "required": ["minutes"]}


def flowers(minutes: int) -> str:
    """The flowers of the garden."""
    return f"{minutes} minutes"


def langchain_tool(metadata):
    return StructuredTool.from_function(flowers, metadata=metadata)


def dict_tool(marks, name="flowers"):
    function = {"name": name, "description": "The flowers.", "parameters": SCHEMA}
    return {"type": "function", "function": function, **marks}


def read(tool):
    [spec] = read_tools(to_openai_tools([tool])).specs
    return spec


MARKS = [
    ({"acts": True}, "acts"),
    ({"acts": False}, "tells"),
    ({"acts": None}, "tells"),  # says nothing, and flowers is a noun
    ({"acts": "yes"}, "tells"),
    ({}, "tells"),
    ({"destructiveHint": True}, "acts"),
    ({"destructiveHint": True, "readOnlyHint": False}, "acts"),
    ({"destructiveHint": False}, "tells"),
    ({"destructiveHint": None, "readOnlyHint": None}, "tells"),
    ({"readOnlyHint": True}, "tells"),
    ({"acts": True, "readOnlyHint": True}, "acts"),
    ({"acts": False, "destructiveHint": True}, "tells"),
    ({"idempotentHint": True, "openWorldHint": True, "title": "Flowers"}, "tells"),
]


@pytest.mark.parametrize(("metadata", "kind"), MARKS)
@pytest.mark.parametrize("form", [langchain_tool, dict_tool])
def test_a_mark_comes_before_hints(metadata, kind, form):
    """In the metadata of a LangChain tool as in a tool's dict; anything but a plain yes or no says nothing."""
    assert kind_of(read(form(metadata))) == kind


HINTS_THAT_SAY_NOTHING = [
    {"readOnlyHint": False},
    {"readOnlyHint": None},
    {"destructiveHint": False},
    {"destructiveHint": None},
    {"readOnlyHint": "true"},
]


@pytest.mark.parametrize("metadata", HINTS_THAT_SAY_NOTHING)
@pytest.mark.parametrize(
    ("name", "kind"), [("send_mail", "acts"), ("get_mail", "tells"), ("run_mail", "repeatable")]
)
def test_where_hints_say_nothing_the_name_decides(metadata, name, kind):
    """An MCP server that leaves a hint at its default, or denies it, says nothing of what the tool does."""
    spec = read(dict_tool(metadata, name))
    assert (spec.acts, kind_of(spec)) == (None, kind)


@pytest.mark.parametrize(
    ("name", "mark", "kind"),
    [
        ("get_weather", True, "acts"),
        ("send_mail", False, "repeatable"),
        ("zeige_rechnung", False, "tells"),
        ("run_tests", True, "acts"),
    ],
)
def test_a_mark_comes_before_the_name(name, mark, kind):
    """What sends may be repeated if its author says that it does not act, and yet it is no look-up that others wait for."""
    spec = ToolSpec(name, "", {}, acts=mark)
    assert (kind_of(spec), has_known_kind(spec)) == (kind, True)


VERBS = [
    ("do_payment", "acts"),
    ("execute_trade", "acts"),
    ("run_payroll", "acts"),
    ("shutdown_server", "acts"),
    ("topup_card", "acts"),
    ("top_up_card", "acts"),
    ("capture_payment", "acts"),
    ("tip_courier", "acts"),
    ("zahle_rechnung", "acts"),
    ("pagar_factura", "acts"),
    ("reserverTable", "acts"),
    ("prenota_tavolo", "acts"),
    ("zeige_rechnung", "tells"),
    ("buscar_pedido", "tells"),
    ("list_payments", "tells"),
    ("send_email", "acts"),
    ("book_flight", "acts"),
    ("pay", "acts"),
    ("delete_file", "acts"),
    ("order_pizza", "acts"),
    ("update_status", "acts"),
    ("sendEmail", "acts"),
    ("SendEmail", "acts"),
    ("send-email", "acts"),
    ("gmail_send_email", "acts"),
    ("payments.refund", "acts"),
    ("file_write", "acts"),
    ("hide_post", "acts"),
    ("check_in_guest", "acts"),
    ("checkOut", "acts"),
    ("check_inventory", "tells"),
    ("get_weather", "tells"),
    ("find_order", "tells"),
    ("search", "tells"),
    ("getWeather", "tells"),
    ("check_balance", "tells"),
    ("weather_get", "tells"),
    ("run_tests", "repeatable"),
    ("press_key", "repeatable"),
    ("undo", "repeatable"),
    ("undo_transfer", "repeatable"),
]


@every_row(("name", "kind"), VERBS)
def test_the_verb_of_the_name_decides(name, kind):
    """In any spelling, and wherever in the name it stands; the description cannot overrule it."""
    for description in ("", "Send, get and run everything."):
        assert kind_of(ToolSpec(name, description, {})) == kind


NOUNS_WITH_A_VERB = [
    "order_status",
    "payment_status",
    "book_search",
    "log_search",
    "file_read",
    "transfer_history",
    "invoice_details",
    "message_count",
    "report_list",
    "schedule_lookup",
]


@every_row("name", NOUNS_WITH_A_VERB)
def test_a_noun_before_a_verb_that_tells_does_not_act(name):
    """`order_status` orders nothing."""
    assert kind_of(ToolSpec(name, "", {})) == "tells"


BY_DESCRIPTION = [
    ("flowers", "Water the flowers.", "acts"),
    ("flowers", "  Waters the flowers.", "acts"),
    ("mailer", "Sends a mail.", "acts"),
    ("calendar", "Creates an event.", "acts"),
    ("calculator", "Evaluates an expression.", "tells"),
    ("weather", "Get the weather of a city.", "tells"),
    ("capital", "Returns the capital of a country.", "tells"),
    ("terminal", "Run a command.", "repeatable"),
    ("weather", "The weather of a city.", "tells"),
    ("capital_of", "The city a country is governed from.", "tells"),
    ("exchange_course", "How many euros a dollar is.", "tells"),
    ("encode_card", "Encode a card.", "repeatable"),  # a verb that is not known
    ("flash_lights", "Flashes the lights of a car.", "repeatable"),
    ("nuke_cache", "Throws a cache away.", "repeatable"),
    ("rechnung", "Bezahlt eine Rechnung.", "acts"),
    ("factura", "Paga una factura de luz.", "acts"),
    ("facture", "Affiche une facture.", "tells"),
    ("begleiche_rechnung", "Begleicht eine Rechnung.", "repeatable"),
    ("opłać_rachunek", "Opłaca rachunek.", "repeatable"),
    ("支付账单", "支付一张账单。", "repeatable"),
    ("free_slots", "Free slots of a day.", "tells"),
    ("power_usage", "kWh per device for one day.", "tells"),
    ("wetter", "Das Wetter einer Stadt.", "tells"),
]


@every_row(("name", "description", "kind"), BY_DESCRIPTION)
def test_without_a_known_verb_the_description_decides(name, description, kind):
    """By its first word; if that is no known verb either, what says what there is tells something, and all else may be repeated."""
    spec = ToolSpec(name, description, {})
    assert (kind_of(spec), has_known_kind(spec)) == (kind, False)


NOUN_NAMES = [
    ("exchange_rate", "The rate of two currencies."),
    ("exchange_rate", ""),
    ("weather", "The weather of a city."),
    ("population", "A number of people."),
]  # fmt: skip


@pytest.mark.parametrize(("name", "description"), NOUN_NAMES)
def test_a_noun_for_a_name_tells_something(name, description):
    """If its description does not speak of doing anything."""
    assert kind_of(ToolSpec(name, description, {})) == "tells"


NOUNS_OR_VERBS = [
    ("next_departures", "Live departure board of a stop.", "tells"),
    ("next_page", "Go to the next page.", "repeatable"),
    ("next_page", "Next page.", "repeatable"),
    ("next_page", "", "repeatable"),
    ("fixtures_next", "Next match of a team.", "tells"),
    ("sleep_timer", "Set a timer that stops the music.", "acts"),
    ("sleep", "Sleep for some seconds.", "repeatable"),
    ("store_count", "Returns the number of stores in a city.", "tells"),
    ("store_file", "Store a file.", "acts"),
    ("deploy_status", "What is running where.", "tells"),
    ("deploy_service", "Deploy a service.", "acts"),
    ("plan_journey", "Plan a journey between two stops.", "tells"),
    ("bump_post", "Bump a post to the top.", "repeatable"),
    ("blog_post", "One post of the blog.", "tells"),
    ("alert_history", "What went wrong.", "tells"),
    ("alert_team", "Alert the team.", "acts"),
    ("rent_ledger", "Returns the rent account of a tenant.", "tells"),
    ("water_level", "Shows how full the tank is.", "tells"),
    ("return_item", "Returns an item to the shop.", "acts"),
    ("payment_methods", "Payment methods of a customer.", "tells"),
    ("order_history", "Order history of a customer.", "tells"),
    ("order_pizza", "Order pizza for delivery.", "acts"),
    ("transfer_money", "Transfer money from an account.", "acts"),
    ("money_transfer", "A tool that transfers money.", "repeatable"),
    ("python_repl", "A Python shell.", "repeatable"),
    ("HassListAddItem", "Add an item to a todo list.", "acts"),
    ("jira_transition_issue", "Transition an issue.", "repeatable"),
    ("requests_post", "Use this when you want to POST to a website.", "repeatable"),
]


@every_row(("name", "description", "kind"), NOUNS_OR_VERBS)
def test_the_description_decides_what_may_be_a_noun(name, description, kind):
    """By its first word, if that is a known verb."""
    assert kind_of(ToolSpec(name, description, {})) == kind


ANSWERS = ["Invoice", "Email", "RefundReceipt", "BookingConfirmation", "Price", "Answer"]
FUNCTIONS = ["SendEmail", "DeleteFile", "CreateTicket", "send_email", "price"]


@every_row(("name", "expected"), [(name, name in ANSWERS) for name in ANSWERS + FUNCTIONS])
def test_an_answer_in_a_form_has_the_name_of_a_class(name, expected):
    """That begins with a noun, or ends with what an answer is; what begins with a verb acts."""
    assert is_named_as_answer(ToolSpec(name, "", {})) == expected


@every_row(
    ("name", "verb"),
    [
        ("calendar_move_event", ["move"]),
        ("moveEvent", ["move"]),
        ("mail_send", ["send"]),
        ("mail_read", ["mail"]),
        ("post_message", ["post"]),
        ("weather", ["weather"]),
        ("", []),
    ],
)
def test_the_verb_of_a_name(name, verb):
    """Is the first word that is known for one; else the first."""
    assert verb_of(name) == verb


PER_CALL = [
    ("charge_card", "Charge a card. Call it once for each card.", "repeatable"),
    ("add_item", "Add an item to the cart, one call for one item.", "repeatable"),
    ("add_item", "Add items to the cart, one at a time.", "repeatable"),
    ("send_mail", "Send a mail. Call this again for a second one.", "repeatable"),
    ("send_mail", "Send a mail to one person.", "acts"),
    ("call_taxi", "Send a taxi. Call a taxi for every guest.", "acts"),
    ("get_mail", "Get a mail; each call gets the next one.", "tells"),
]


@every_row(("name", "description", "kind"), PER_CALL)
def test_an_act_of_which_each_call_does_one_may_be_repeated(name, description, kind):
    """A description that says what one call does allows the next one; a mark comes before it."""
    assert kind_of(ToolSpec(name, description, {})) == kind
    assert kind_of(ToolSpec(name, description, {}, acts=True)) == "acts"


# --- the mark is ours: bound with the tool, part of its key, and never sent ---

MARKED = {
    "a LangChain tool": langchain_tool({"acts": True}),
    "a tool of an MCP server": langchain_tool({"readOnlyHint": False, "destructiveHint": True}),
    "a dict": dict_tool({"acts": True}),
    "a dict in Anthropic's form": {"name": "flowers", "description": "The flowers.", "input_schema": SCHEMA, "acts": True},
}  # fmt: skip


@pytest.mark.parametrize("tool", MARKED.values(), ids=MARKED)
def test_a_binding_keeps_the_mark_beside_the_tool(tool):
    """Not in the function, where a provider would read it."""
    bound = ChatToolEmu(Binding(said=["Hi."])).bind_tools([tool])
    [kept] = bound.kwargs["tools"]
    assert kept["acts"] is True
    assert "acts" not in kept["function"]


@pytest.mark.parametrize("form", [langchain_tool, dict_tool])
def test_the_mark_is_part_of_the_tool_set_s_key(form):
    """Marked, denied and not marked are three tool sets, in the cache too."""
    bound = [to_openai_tools([form(marks)]) for marks in ({"acts": True}, {"acts": False}, {})]
    assert len({read_tools(tools).content for tools in bound}) == 3
    cache = ToolSetCache()
    found = [cache.read_functions(tools).exact("flowers").acts for tools in bound * 2]
    assert found == [True, False, None] * 2


@pytest.mark.parametrize(
    ("tool", "mode"),
    [
        *((tool, mode) for tool in MARKED for mode in ("fallback", "force")),
        *((tool, "off") for tool in MARKED if tool != "a dict"),
        ("a dict", "off"),
    ],
)
def test_the_mark_is_not_sent(tool, mode):
    """Neither natively nor in text does a server hear of it, asked in any way."""
    reply = Reply(tool_calls=[("flowers", {"minutes": 5})])
    text = '{"name": "flowers", "arguments": {"minutes": 5}}'
    with ScriptedServer(lambda request: text if mode == "force" else reply) as server:
        llm = ChatToolEmu(server.chat_model(), mode=mode).bind_tools([MARKED[tool]])
        said = [ask(llm, "Flowers, 5 minutes.", way) for way in WAYS]
        assert all(b"flowers" in body for body in server.bodies)
        assert not any(b"acts" in body or b"Hint" in body for body in server.bodies)
    assert [calls(message) for message in said] == [[("flowers", {"minutes": 5})]] * 4


@pytest.mark.parametrize("model", [Binding, TakesAnyTool])
def test_a_model_s_own_binding_does_not_get_the_mark(model):
    """Nor does one that binds dicts as they come."""
    inner = model(said=["Hi."])
    ChatToolEmu(inner).bind_tools([dict_tool({"acts": True})]).invoke("Flowers?")
    natively = [kwargs["tools"] for *_, kwargs in inner.heard if "tools" in kwargs]
    assert [tool["function"]["name"] for [tool] in natively] == ["flowers"]
    assert "acts" not in str(natively)


@pytest.mark.parametrize("mode", ["fallback", "off"])
def test_tools_of_a_single_call_are_not_sent_with_the_mark(mode):
    """Tools that are given with the question, not bound, are no exception."""
    with ScriptedServer(lambda request: "Hi.") as server:
        llm = ChatToolEmu(server.chat_model(), mode=mode)
        llm.invoke("Flowers?", tools=[dict_tool({"acts": True})])
        assert any("tools" in request for request in server.requests)
        assert not any(b'"acts"' in body for body in server.bodies)
