import { expect } from 'chai';
import {
  type Agent,
  createAgent,
  defineTool,
  eventRules,
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
import { loopCases } from '../../lib/testing/loops/loop-cases.ts';
import { sceneOf } from '../../lib/testing/loops/scene-of.ts';

/** Our own agent, as a host of the contract. */
const ownAgent: LoopHost = {
  name: 'createAgent',
  cannot: {
    'postReasoning: message is changed, and text waits for it': 'its chunks come first',
  },
  run(scene) {
    const transcript = memoryTranscript();
    const model = scriptedModel(
      scene.turns.map(({ chunks, calls, error }) => ({
        chunks,
        ...(calls && { toolCalls: calls }),
        ...(error && { error: error.message }),
      })),
    );
    const { agent: name, pipeline } = scene;
    const agent = createAgent({ name, model, tools: scene.tools.map(toTool), pipeline, transcript });
    const { sessionId = 'session', ...who } = scene.who ?? {};
    const stored = async () => JSON.stringify(await transcript.load(sessionId));
    return play({ agent, model, stored, streamed: scene.streamed }, agent.run(scene.question, { sessionId, ...who }));
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

interface Playing {
  readonly agent: Agent;
  readonly model: ReturnType<typeof scriptedModel>;
  readonly stored: () => Promise<string>;
  readonly streamed: boolean;
}

async function play(playing: Playing, events$: ReturnType<Agent['run']>): Promise<LoopOutcome> {
  const { agent, model, stored, streamed } = playing;
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
    requests: model.requests.map(({ tools, model: id, options }) => ({
      tools: tools.map(({ name }) => name),
      ...(options.toolChoice && { toolChoice: options.toolChoice }),
      ...(id !== undefined && { model: id }),
    })),
    stored: await stored(),
    ...(error !== undefined && { error }),
    ...(snapshot && {
      waits: true,
      resume: (approved: boolean) => play(playing, agent.resume(snapshot, answerAll(approved))),
    }),
  };
}

describe('the contract of loops', () => {
  for (const { title, cannot, check } of loopContract(ownAgent)) {
    if (cannot === undefined) it(`our own agent: ${title}`, check);
    else it(`our own agent: ${title}: not supported, because ${cannot}`);
  }

  it('has a case for each legal decision and change, each verdict, and redactors', async () => {
    const tried = new Set<string>();
    for (const one of Object.values(loopCases)) {
      const { scene } = sceneOf(one, one.only === 'streamed', { trace: true });
      scene.pipeline.traces$.subscribe(({ event: { type }, steps }) => {
        for (const { decision, paths = [] } of steps) {
          if (decision !== undefined) tried.add(`${type}: ${decision}`);
          for (const path of paths) tried.add(`${type}: ${path.split('.')[0]} is changed`);
        }
      });
      for (const { redact } of [one.hook, one.otherHook ?? one.hook]) if (redact) tried.add('redact');
      await ownAgent.run(scene);
    }
    const legal = Object.entries(eventRules).flatMap(([type, { changes, decisions }]) => [
      ...decisions.map((decision) => `${type}: ${decision}`),
      ...changes.map((member) => `${type}: ${member} is changed`),
    ]);
    const verdicts = ['allow', 'deny', 'suspend'].map((one) => `approve: ${one}`);
    const without = [...legal, 'redact'].filter((one) => !tried.has(one));
    expect(without, 'add a case to lib/testing/loops').to.deep.equal([]);
    for (const one of verdicts)
      expect(
        Object.keys(loopCases).some((title) => title.startsWith(one)),
        one,
      ).to.equal(true);
  });

  it('detects the differences of a loop without hooks', async () => {
    const model = (scene: LoopScene) => scene.turns.map((_, index) => `prompt ${index}`);
    const deaf: LoopHost = {
      name: 'deaf',
      run(scene) {
        scene.tools[0]?.execute({ at: 'x' });
        return Promise.resolve({ screen: 'Looking. seen It is mild.', prompts: model(scene), stored: '' });
      },
    };
    for (const { title, check } of loopContract(deaf)) {
      const issue = await check().then(
        () => undefined,
        (thrown) => thrown,
      );
      expect(issue, title).to.be.instanceOf(Error);
    }
  });
});
