"""docs/generated/surfaces.md, the surfaces of LangChain and the tests that show them: `python -m tests.reference`."""

from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "generated" / "surfaces.md"

_HEAD = """\
---
search:
  boost: 0.25
---
# Surfaces and their tests

Which surfaces of LangChain and LangGraph work on `ChatToolEmu` and `ToolEmuChatOpenAI` ([Compatibility](../compatibility.md)), and the
test that shows it. This page is written by `python -m tests.reference`.
"""

SURFACES = {
    "Agents": [
        ('`create_agent`', 'integration_tests/test_surfaces.py', 'test_agents', 'create_agent'),
        ('several calls in one message', 'integration_tests/test_surfaces.py', 'test_agents', 'create_agent, parallel calls'),
        ('`create_agent(system_prompt=)`', 'integration_tests/test_surfaces.py', 'test_agents', 'create_agent, a system prompt'),
        ('`ToolStrategy`', 'integration_tests/test_surfaces.py', 'test_agents', 'create_agent, ToolStrategy'),
        ('`ProviderStrategy`', 'integration_tests/test_surfaces.py', 'test_agents', 'create_agent, ProviderStrategy'),
        ("`AutoStrategy`, which picks by the model's name", 'integration_tests/test_surfaces.py', 'test_agents', 'create_agent, AutoStrategy'),
        ('a schema as `response_format`', 'integration_tests/test_surfaces.py', 'test_agents', 'create_agent, a schema'),
        ('`SummarizationMiddleware`', 'integration_tests/test_surfaces.py', 'test_agents', 'SummarizationMiddleware'),
        ('`ToolCallLimitMiddleware`', 'integration_tests/test_surfaces.py', 'test_agents', 'ToolCallLimitMiddleware'),
        ('`ModelCallLimitMiddleware`', 'integration_tests/test_surfaces.py', 'test_agents', 'ModelCallLimitMiddleware'),
        ('`HumanInTheLoopMiddleware`, resumed', 'integration_tests/test_surfaces.py', 'test_agents', 'HumanInTheLoopMiddleware'),
        ('`ModelFallbackMiddleware`', 'integration_tests/test_surfaces.py', 'test_agents', 'ModelFallbackMiddleware'),
        ('`ContextEditingMiddleware`', 'integration_tests/test_surfaces.py', 'test_agents', 'ContextEditingMiddleware'),
        ('`ToolRetryMiddleware`', 'integration_tests/test_surfaces.py', 'test_agents', 'ToolRetryMiddleware'),
        ('`TodoListMiddleware`', 'integration_tests/test_surfaces.py', 'test_agents', 'TodoListMiddleware'),
        ('tools chosen at run time', 'integration_tests/test_surfaces.py', 'test_agents', 'dynamic tools'),
        ('models chosen at run time', 'integration_tests/test_surfaces.py', 'test_agents', 'dynamic models'),
        ('`create_react_agent`', 'integration_tests/test_surfaces.py', 'test_agents', 'create_react_agent'),
        ('`create_react_agent(prompt=)`', 'integration_tests/test_surfaces.py', 'test_agents', 'create_react_agent, a prompt'),
        ('`create_react_agent(response_format=)`', 'integration_tests/test_surfaces.py', 'test_agents', 'create_react_agent, response_format'),
        ("`ToolNode` and `tools_condition` in a graph of one's own", 'integration_tests/test_surfaces.py', 'test_agents', 'ToolNode and tools_condition'),
        ('`interrupt` and `Command(resume=)`', 'integration_tests/test_surfaces.py', 'test_agents', 'interrupt and resume'),
        ('an agent as a subgraph', 'integration_tests/test_surfaces.py', 'test_agents', 'a subgraph'),
        ("an agent as another's tool", 'integration_tests/test_surfaces.py', 'test_agents', 'an agent as a tool'),
        ('MCP-style tools: a JSON schema as `args_schema`', 'integration_tests/test_surfaces.py', 'test_agents', 'MCP-style tools'),
        ('threads in SQLite', 'integration_tests/test_agent_matrix.py', 'test_a_thread_resumes_from_sqlite', ''),
    ],
    "Calling and streaming": [
        ('`invoke`', 'integration_tests/test_surfaces.py', 'test_streams', 'invoke'),
        ('`ainvoke`', 'integration_tests/test_surfaces.py', 'test_streams', 'ainvoke'),
        ('`batch`', 'integration_tests/test_surfaces.py', 'test_streams', 'batch'),
        ('`stream`', 'integration_tests/test_surfaces.py', 'test_streams', 'stream'),
        ('`astream`', 'integration_tests/test_surfaces.py', 'test_streams', 'astream'),
        ('`astream_events(version="v2")`', 'integration_tests/test_surfaces.py', 'test_streams', 'astream_events v2'),
        ('`stream_events(version="v3")`', 'integration_tests/test_surfaces.py', 'test_streams', 'stream_events v3'),
        ('`astream_events(version="v3")`', 'integration_tests/test_surfaces.py', 'test_streams', 'astream_events v3'),
        ('`astream_log`', 'integration_tests/test_surfaces.py', 'test_streams', 'astream_log'),
        ('`on_llm_new_token` callbacks', 'integration_tests/test_surfaces.py', 'test_streams', 'callbacks'),
        ('a graph\'s `stream_mode="updates"`', 'integration_tests/test_surfaces.py', 'test_graph_streams', 'stream_mode updates'),
        ('a graph\'s `stream_mode="values"`', 'integration_tests/test_surfaces.py', 'test_graph_streams', 'stream_mode values'),
        ('a graph\'s `stream_mode="messages"`', 'integration_tests/test_surfaces.py', 'test_graph_streams', 'stream_mode messages'),
        ('a graph\'s `stream_events(version="v3")`', 'integration_tests/test_surfaces.py', 'test_graph_streams', 'stream_events v3'),
        ('content blocks in one order, four ways', 'integration_tests/test_parity.py', 'test_content_blocks_have_one_order_four_ways', ''),
        ('a cache, also for messages without usage', 'integration_tests/test_bare_model.py', 'test_off_hits_the_cache_as_the_bare_model_does', ''),
        ('a model that cannot stream', 'integration_tests/test_bare_model.py', 'test_a_model_that_cannot_stream_does_not_look_as_if_it_could', ''),
        ('every convention of `bind_tools`', 'integration_tests/test_bare_model.py', 'test_fallback_follows_every_convention_of_bind_tools', ''),
        ('thoughts in the text, next to it and in blocks: one message, four ways', 'integration_tests/test_blocks_four_ways.py', 'test_thoughts_and_order_are_the_same_four_ways', ''),
        ('reasoning of past messages on a server that wants it', 'integration_tests/test_reasoning_back.py', 'test_an_agent_gets_through_on_a_strict_server', ''),
        ('thoughts in the text as reasoning blocks, in both output versions', 'integration_tests/test_thoughts.py', 'test_content_blocks_hold_the_thought', ''),
        ('text and calls in the order in which they were written', 'integration_tests/test_progressive.py', 'test_text_and_calls_keep_their_order', ''),
    ],
    "Arguments as they arrive": [
        ('the first piece of a 20 KB call comes within 5 % of its text', 'integration_tests/test_progressive.py', 'test_the_first_piece_comes_within_a_twentieth', ''),
        ('the pieces add up to the arguments that `invoke` gives', 'integration_tests/test_progressive.py', 'test_a_long_file_is_shown_while_it_is_written', ''),
        ('a stream that ends by length, at any position, adds up to no call', 'integration_tests/test_progressive.py', 'test_a_stream_that_ends_by_length_never_adds_up_to_a_call', ''),
        ('so does one whose connection breaks', 'integration_tests/test_progressive.py', 'test_a_connection_that_breaks_leaves_no_call_behind', ''),
        ('what a rule may still reject, or needs repair, comes whole', 'integration_tests/test_progressive.py', 'test_what_may_still_be_rejected_comes_whole', ''),
    ],
    "Structured output": [
        ('`with_structured_output`: each method, with pydantic v2 and v1, TypedDict and JSON schema, `include_raw`', 'integration_tests/test_structured.py', 'test_every_method_gives_the_answer_in_the_form', ''),
        ('`strict`', 'integration_tests/test_structured.py', 'test_strict_is_the_providers', ''),
        ('`json_mode` without a schema', 'integration_tests/test_structured.py', 'test_json_mode_without_a_schema_is_any_json', ''),
        ('`bind_tools(response_format=)`', 'integration_tests/test_structured.py', 'test_tools_leave_no_room_for_a_schema', ''),
        ('an answer that does not fit is asked for again, with the error', 'integration_tests/test_structured.py', 'test_an_answer_that_does_not_fit_is_asked_for_again', ''),
        ('the schema is handed to a server that can decode under it (`constrain`)', 'integration_tests/test_structured.py', 'test_a_schema_is_handed_to_a_server_that_takes_it', ''),
        ('partial objects through `JsonOutputParser` and `PydanticOutputParser`, native', 'integration_tests/test_structured.py', 'test_partial_objects_stream_from_a_native_server', ''),
        ('the same emulated, for long texts', 'integration_tests/test_progressive.py', 'test_a_long_answer_in_a_form_streams_as_text', ''),
    ],
    "`ToolEmuChatOpenAI` for `ChatOpenAI`": [
        ('every argument of the constructor, by name and alias', 'unit_tests/chat_models/test_openai.py', 'test_each_field_of_chat_openai_is_taken_and_reaches_it', ''),
        ('every attribute to read, but `cache` and `rate_limiter`', 'unit_tests/chat_models/test_openai.py', 'test_each_field_of_chat_openai_can_be_read_on_the_wrapper', ''),
        ('attributes to set, copies and `model_copy(update=)`', 'unit_tests/chat_models/test_openai.py', 'test_what_is_changed_is_changed_inside_and_on_no_other_copy', ''),
        ('fields of a subclass', 'unit_tests/chat_models/test_openai.py', 'test_a_subclass_has_fields_of_its_own', ''),
        ('`configurable_fields`', 'unit_tests/chat_models/test_openai.py', 'test_fields_can_be_configured_at_run_time', ''),
        ('a program that uses it all, same results and same requests', 'integration_tests/test_chat_openai.py', 'test_changing_the_name_changes_nothing_else', ''),
    ],
    "Delegated to the wrapped model": [
        ('`profile`', 'integration_tests/test_delegated.py', 'test_the_profile_is_the_wrapped_models_with_what_is_emulated', ''),
        ('LangSmith parameters', 'integration_tests/test_delegated.py', 'test_what_langsmith_is_told', ''),
        ('a trace tells native from emulated', 'integration_tests/test_traces.py', 'test_a_runs_metadata_tells_native_from_emulated', ''),
        ('a trace of a stream', 'integration_tests/test_traces.py', 'test_a_streams_run_tells_the_mode_and_has_the_rest_in_its_outputs', ''),
        ('headers in no trace', 'integration_tests/test_traces.py', 'test_a_trace_holds_no_header_and_the_tools_once', ''),
        ('`lc_versions`', 'integration_tests/test_delegated.py', 'test_versions_name_all_who_take_part', ''),
        ('cache keys', 'integration_tests/test_delegated.py', 'test_cache_keys_differ', ''),
        ('caches, with new ids on a hit', 'integration_tests/test_delegated.py', 'test_a_cache_hit_never_repeats_an_id', ''),
        ('rate limiters, on streams too', 'integration_tests/test_delegated.py', 'test_a_rate_limiter_counts_every_way', ''),
        ("token counts, the contract's tokens included", 'unit_tests/chat_models/test_toolemu.py', 'test_token_counts_hold_the_contract_where_there_is_one', ''),
        ('token usage over several prompts', 'integration_tests/test_delegated.py', 'test_token_usage_adds_up_over_prompts', ''),
        ('secrets in no repr, dump, trace, log or error', 'integration_tests/test_delegated.py', 'test_no_secret_in_repr_dumps_traces_logs_or_errors', ''),
        ('pickling, where the wrapped model allows it', 'integration_tests/test_delegated.py', 'test_a_picklable_model_stays_picklable', ''),
        ('bindings', 'integration_tests/test_delegated.py', 'test_a_binding_is_unwrapped', ''),
        ('models of `init_chat_model`', 'integration_tests/test_delegated.py', 'test_models_of_init_chat_model_are_wrapped', ''),
        ('what cannot be wrapped is refused in words', 'unit_tests/chat_models/test_toolemu.py', 'test_bad_construction_is_a_typed_error_that_says_what_to_do', ''),
    ],
}  # fmt: skip
"""By section: the surface, the file of its test under tests/, the test, and its case in a table of cases."""


def write_page() -> str:
    """The whole page."""
    return "\n".join([_HEAD, *(_section(title) for title in SURFACES)])


def _section(title: str) -> str:
    rows = [_row(*row) for row in SURFACES[title]]
    return "\n".join([f"## {title}", "", "| surface | test |", "|---|---|", *rows, ""])


def _row(surface: str, path: str, test: str, case: str) -> str:
    named = f' "{case}"' if case else ""
    return f"| {surface} | [`{test}`](../../tests/{path}){named} |"
