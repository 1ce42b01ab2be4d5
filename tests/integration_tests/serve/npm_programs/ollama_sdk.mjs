// Ollama's library of npm: `node ollama_sdk.mjs URL CASE` prints what came of a case, as JSON.
import { Ollama } from "ollama";

const [host, name] = process.argv.slice(2);
const client = new Ollama({ host });
const ask = { model: "scripted", messages: [{ role: "user", content: "What is the weather in Paris?" }] };
const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const weather = { name: "get_weather", description: "Get the weather of a city.", parameters };
const tools = [{ type: "function", function: weather }];

async function pieces(stream) {
  const said = [];
  for await (const part of stream) said.push(part.response ?? part.message.content);
  return { said: said.join("") };
}

const cases = {
  call: async () => ({ calls: (await client.chat({ ...ask, tools })).message.tool_calls }),
  whole: async () => ({ said: (await client.chat(ask)).message.content }),
  stream: async () => pieces(await client.chat({ ...ask, stream: true })),
  generate: async () => pieces(await client.generate({ model: "scripted", prompt: "Hello.", stream: true })),
  pages: async () => ({
    listed: (await client.list()).models.map((one) => one.model),
    running: (await client.ps()).models.map((one) => one.model),
    able: (await client.show({ model: "scripted" })).capabilities,
    version: (await client.version()).version,
  }),
};

try {
  console.log(JSON.stringify(await cases[name]()));
} catch (error) {
  const { status_code = null, message } = error;
  console.log(JSON.stringify({ error: error.constructor.name, status: status_code, message }));
}
