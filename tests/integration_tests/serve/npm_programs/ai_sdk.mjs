// The AI SDK: `node ai_sdk.mjs URL CASE` prints what came of a case, as JSON.
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, Output, stepCountIs, streamText, tool } from "ai";
import { z } from "zod";

const [baseURL, name] = process.argv.slice(2);
const settings = { baseURL, apiKey: "none", name: "toolemu" };
const providers = {
  compatible: createOpenAICompatible(settings),
  responses: createOpenAI(settings),
  anthropic: createAnthropic(settings),
};
const tools = {
  get_weather: tool({
    description: "Get the weather of a city.",
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => `22 degrees in ${city}`,
  }),
};

// Each turn is one question; the SDK sends all that was said before, in the provider's own way.
async function conversation(provider, questions, streamed, more = {}) {
  const model = providers[provider]("scripted");
  const [texts, messages] = [[], []];
  for (const content of questions) {
    messages.push({ role: "user", content });
    const ask = { model, tools, messages, stopWhen: stepCountIs(5), maxRetries: 0, ...more };
    const result = streamed ? streamText(ask) : await generateText(ask);
    if (streamed) await result.consumeStream({ onError: (error) => { throw error; } });
    texts.push(await result.text);
    messages.push(...(await result.response).messages);
  }
  return { texts };
}

async function stream(provider) {
  const [said, errors] = [[], []];
  const onError = ({ error }) => errors.push(error.message ?? error);
  const ask = { model: providers[provider]("scripted"), prompt: "Hello.", maxRetries: 0, onError };
  const result = streamText(ask);
  for await (const part of result.textStream) said.push(part);
  if (errors.length) return { error: await result.finishReason, status: null, message: errors.join(" ") };
  return { said: said.join("") };
}

const questions = ["What is the weather in Paris?", "What is the weather in Rome?", "Thanks."];
const output = Output.object({ schema: z.object({ degrees: z.number() }) });
const cases = {};
for (const provider of Object.keys(providers)) cases[`stream, ${provider}`] = () => stream(provider);
for (const streamed of [false, true])
  for (const provider of Object.keys(providers)) {
    const key = provider + (streamed ? ", streamed" : "");
    cases[`turns, ${key}`] = () => conversation(provider, questions, streamed);
    cases[`object, ${key}`] = () => conversation(provider, questions.slice(0, 1), streamed, { output });
  }

try {
  console.log(JSON.stringify(await cases[name]()));
} catch (error) {
  const { statusCode: status = null, message } = error;
  console.log(JSON.stringify({ error: error.name, status, message }));
}
