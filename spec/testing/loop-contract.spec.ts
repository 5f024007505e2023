import { expect } from 'chai';
import {
  type Agent,
  createAgent,
  defineTool,
  type JsonObject,
  memoryTranscript,
  pendingCalls,
  type SettledEvent,
  type Tool,
  type ToolItem,
  textOf,
} from '../../lib/index.ts';
import { RunAborted } from '../../lib/loops/index.ts';
import {
  type LoopHost,
  type LoopOutcome,
  type LoopScene,
  loopContract,
  scriptedModel,
} from '../../lib/testing/index.ts';

/** Our own agent, as a host of the contract. */
const ownAgent: LoopHost = {
  name: 'createAgent',
  run(scene) {
    const transcript = memoryTranscript();
    const model = scriptedModel(
      scene.turns.map(({ chunks, calls }) => ({ chunks, ...(calls && { toolCalls: calls }) })),
    );
    const { agent: name, pipeline } = scene;
    const agent = createAgent({ name, model, tools: scene.tools.map(toTool), pipeline, transcript });
    return play(agent, model, agent.run(scene.question), scene.streamed);
  },
};

function toTool({ progress = [], execute, ...tool }: LoopScene['tools'][number]): Tool<JsonObject> {
  return defineTool<JsonObject>({
    ...tool,
    async *execute(input): AsyncGenerator<ToolItem> {
      const content = String(execute(input));
      yield* progress;
      yield { content, isError: false };
    },
  });
}

async function play(
  agent: Agent,
  model: ReturnType<typeof scriptedModel>,
  events$: ReturnType<Agent['run']>,
  streamed: boolean,
): Promise<LoopOutcome> {
  let text = '';
  let post: Extract<SettledEvent, { type: 'postCall' }> | undefined;
  let error: unknown;
  await new Promise<void>((resolve) =>
    events$.subscribe({
      next(event) {
        if (streamed && event.type === 'reasoningChunk') text += event.delta;
        if (streamed && event.type === 'actingChunk') text += event.content;
        if (event.type === 'postActing') text += event.result.content;
        if (event.type === 'postReasoning') text += streamed ? '' : textOf(event.message);
        if (event.type === 'postCall') post = event;
        if (event.decision?.action === 'abort') error = new RunAborted(event.decision);
      },
      complete: resolve,
    }),
  );
  const { snapshot } = post ?? {};
  const answerAll = (approved: boolean) =>
    Object.fromEntries(pendingCalls(snapshot ?? {}).map(({ key }) => [key, { approved }]));
  return {
    screen: text + JSON.stringify(post?.message ?? ''),
    prompts: model.requests.map(({ messages }) => JSON.stringify(messages)),
    stored: '',
    ...(error !== undefined && { error }),
    ...(snapshot && {
      waits: true,
      resume: (approved: boolean) => play(agent, model, agent.resume(snapshot, answerAll(approved)), streamed),
    }),
  };
}

describe('the contract of loops', () => {
  for (const { title, check } of loopContract(ownAgent)) it(`our own agent: ${title}`, check);

  it('finds what a loop without hooks does wrong', async () => {
    const model = (scene: LoopScene) => scene.turns.map((_, index) => `prompt ${index}`);
    const deaf: LoopHost = {
      name: 'deaf',
      run(scene) {
        scene.tools[0]?.execute({ at: 'x' });
        return Promise.resolve({ screen: 'Looking. seen It is mild.', prompts: model(scene), stored: '' });
      },
    };
    for (const { title, check } of loopContract(deaf)) {
      const fault = await check().then(
        () => undefined,
        (thrown) => thrown,
      );
      expect(fault, title).to.be.instanceOf(Error);
    }
  });
});
