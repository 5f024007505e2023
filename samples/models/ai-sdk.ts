// A model of any AI SDK provider. This one speaks to every server with OpenAI's chat API; unless told otherwise, to Ollama on this machine.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createAgent } from 'hookline';
import { aiSdkModel } from 'hookline/ai-sdk';

const provider = createOpenAICompatible({
  name: 'my-provider',
  baseURL: process.env['MODEL_URL'] ?? 'http://localhost:11434/v1',
  apiKey: process.env['MODEL_KEY'] ?? '',
});

const agent = createAgent({
  name: 'forecaster',
  model: aiSdkModel(provider('qwen3')),
});

agent.run('Say hello.').subscribe((event) => {
  if (event.type === 'reasoningChunk' && event.part === 'text') process.stdout.write(event.last ? '\n' : event.delta);
  if (event.type === 'postCall' && event.outcome === 'failed') console.error(event.reason);
});
