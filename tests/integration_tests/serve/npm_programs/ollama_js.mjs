// Ollama's library of npm: `node ollama_js.mjs URL CASE` prints what came of a case, as JSON.
import { Ollama } from "ollama";

const [host, name] = process.argv.slice(2);
const client = new Ollama({ host });
const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const weather = { name: "get_weather", description: "Get the weather of a city.", parameters };
const tools = [{ type: "function", function: weather }];
const model = "scripted";

async function answer(messages, stream, more = {}) {
  const response = await client.chat({ model, messages, stream, ...more });
  if (!stream) return response.message;
  const message = { role: "assistant", content: "", tool_calls: [] };
  let done = false;
  for await (const chunk of response) {
    message.content += chunk.message.content;
    message.tool_calls.push(...(chunk.message.tool_calls ?? []));
    done ||= chunk.done;
  }
  if (!done) throw new Error("not done");
  return message;
}

async function call_and_answer(stream) {
  const messages = [{ role: "user", content: "What is the weather in Paris?" }];
  const first = await answer(messages, stream, { tools });
  const [call] = first.tool_calls;
  messages.push(first, { role: "tool", tool_name: call.function.name, content: "22 degrees" });
  const second = await answer(messages, stream, { tools });
  return { name: call.function.name, arguments: call.function.arguments, said: second.content };
}

async function about() {
  const { models } = await client.list();
  const { capabilities } = await client.show({ model });
  const said = (await client.generate({ model, prompt: "Hello." })).response;
  const running = (await client.ps()).models.length;
  return { models: models.map((one) => one.name), capabilities, running, said };
}

const cases = {
  call: () => call_and_answer(false),
  "call, streamed": () => call_and_answer(true),
  about,
  stream: async () => ({ said: (await answer([{ role: "user", content: "Hello." }], true)).content }),
  object: async () => {
    const format = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
    return JSON.parse((await answer([{ role: "user", content: "Person: 'Ann'." }], false, { format })).content);
  },
};

try {
  console.log(JSON.stringify(await cases[name]()));
} catch (error) {
  console.log(JSON.stringify({ error: error.name, status: error.status_code ?? null, message: error.message }));
}
