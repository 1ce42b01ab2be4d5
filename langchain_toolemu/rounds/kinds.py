"""The kinds of message that can be given back: LangChain's own, by their `type`."""

from langchain_core import messages

KINDS: dict[str, type[messages.BaseMessage]] = {
    kind.model_fields["type"].default: kind
    for kind in (
        messages.AIMessage,
        messages.AIMessageChunk,
        messages.ChatMessage,
        messages.ChatMessageChunk,
        messages.FunctionMessage,
        messages.FunctionMessageChunk,
        messages.HumanMessage,
        messages.HumanMessageChunk,
        messages.RemoveMessage,
        messages.SystemMessage,
        messages.SystemMessageChunk,
        messages.ToolMessage,
        messages.ToolMessageChunk,
    )
}
