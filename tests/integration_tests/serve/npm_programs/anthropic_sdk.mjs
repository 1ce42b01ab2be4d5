// Anthropic's SDK of npm: `node anthropic_sdk.mjs URL CASE` prints what came of a case, as JSON.
import Anthropic from "@anthropic-ai/sdk";
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";

const [baseURL, name] = process.argv.slice(2);
const client = new Anthropic({ baseURL, apiKey: "none", maxRetries: 0 });
const asked = [];
const inputSchema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const weather = betaTool({
  name: "get_weather",
  description: "Get the weather of a city.",
  inputSchema,
  run: ({ city }) => (asked.push(city), "22 degrees"),
});
const ask = {
  model: "scripted",
  max_tokens: 100,
  messages: [{ role: "user", content: "What is the weather in Paris?" }],
};
const words = (message) => message.content.map((block) => block.text ?? "").join("");

async function run_tools(stream) {
  const runner = client.beta.messages.toolRunner({ ...ask, tools: [weather], stream });
  return { said: words(await runner.runUntilDone()), asked };
}

const cases = {
  runner: () => run_tools(false),
  "runner, streamed": () => run_tools(true),
  stream: async () => ({ said: words(await client.messages.stream(ask).finalMessage()) }),
  whole: async () => ({ said: words(await client.messages.create(ask)) }),
};

try {
  console.log(JSON.stringify(await cases[name]()));
} catch (error) {
  const { status = null, message } = error;
  console.log(JSON.stringify({ error: error.constructor.name, status, message }));
}
