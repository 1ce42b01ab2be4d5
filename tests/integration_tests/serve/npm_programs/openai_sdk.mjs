// OpenAI's SDK of npm: `node openai_sdk.mjs URL CASE` prints what came of a case, as JSON.
import OpenAI from "openai";

const [baseURL, name] = process.argv.slice(2);
const client = new OpenAI({ baseURL, apiKey: "none", maxRetries: 0 });
const ask = { model: "scripted", messages: [{ role: "user", content: "Use the tool apply_patch on '+a'." }] };
const custom = { name: "apply_patch", description: "Changes files." };
const tools = [{ type: "custom", custom }];

async function pieces(stream) {
  let said = "";
  for await (const chunk of stream) said += chunk.choices[0]?.delta.content ?? "";
  return { said };
}

async function patch() {
  const first = (await client.chat.completions.create({ ...ask, tools })).choices[0];
  const [call] = first.message.tool_calls;
  const result = { role: "tool", tool_call_id: call.id, content: "Changed." };
  const messages = [...ask.messages, first.message, result];
  const second = await client.chat.completions.create({ ...ask, messages, tools });
  return { finish: first.finish_reason, custom: call.custom, said: second.choices[0].message.content };
}

async function patch_streamed() {
  const calls = [];
  for await (const chunk of await client.chat.completions.create({ ...ask, tools, stream: true }))
    calls.push(...(chunk.choices[0]?.delta.tool_calls ?? []));
  return { customs: calls.map((call) => call.custom) };
}

const cases = {
  custom: patch,
  "custom, streamed": patch_streamed,
  whole: async () => ({ said: (await client.chat.completions.create(ask)).choices[0].message.content }),
  stream: async () => pieces(await client.chat.completions.create({ ...ask, stream: true })),
  helper: async () => ({ said: await client.chat.completions.stream(ask).finalContent() }),
  "responses helper": async () => {
    const stream = client.responses.stream({ model: "scripted", input: "Hello." });
    return { said: (await stream.finalResponse()).output_text };
  },
  parts: async () => {
    const content = [{ type: "text", text: "Hello" }, { type: "text", text: "there." }];
    const messages = [{ role: "system", content }, { role: "user", content }];
    return { said: (await client.chat.completions.create({ ...ask, messages })).choices[0].message.content };
  },
};

try {
  console.log(JSON.stringify(await cases[name]()));
} catch (error) {
  const { status = null, message, code = null, param = null } = error;
  console.log(JSON.stringify({ error: error.constructor.name, status, message, code, param }));
}
