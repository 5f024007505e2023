// The hooks of a pipeline around a loop that somebody else wrote: it keeps its shape, its model and its tools go through the hooks.
import {
  createPipeline,
  defineHook,
  defineTool,
  type Model,
  textOf,
  toolCallsOf,
  userMessage,
  verdict,
} from 'hookline';
import { startLoopRun } from 'hookline/loops';
import { type Ask, type Call, theirAsk, theirLoop, theirTools } from './their-loop.ts';

const guard = defineHook({
  name: 'small sums only',
  approve: ({ toolCall: { input } }) => (Number(input['a']) > 9 ? verdict.deny('too large') : verdict.allow()),
});
const pipeline = createPipeline([guard]);

const described = { description: 'A tool of theirs.', inputSchema: { type: 'object' } };

async function hooked(question: string, ask: Ask, tools: typeof theirTools): Promise<string> {
  const run = startLoopRun(pipeline, { agent: 'theirs' });
  const own = Object.entries(tools).map(([name, execute]) =>
    defineTool<Call['input']>({ ...described, name, execute }),
  );
  const askHooked: Ask = async (said) => {
    const model: Model = async function* () {
      const { text, call } = await ask(said);
      yield { type: 'text', delta: text };
      if (call) yield { type: 'toolCall', toolCall: call };
    };
    const { message } = await run.reason({ messages: said.map(userMessage) }, model);
    const [call] = toolCallsOf(message) as Call[];
    return { text: textOf(message), ...(call && { call }) };
  };
  const runHooked = async (call: Call) => (await (await run.judge(call, own)).execute())?.result.content;
  try {
    const { answer } = await run.begin([userMessage(question)]);
    const text = answer ? textOf(answer) : await theirLoop(question, askHooked, runHooked);
    await run.end();
    return text;
  } catch (error) {
    await run.end({ error });
    throw error;
  }
}

void hooked('How much are 2 and 3?', theirAsk, theirTools).then(console.log);
