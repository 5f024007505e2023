import { expect } from 'chai';
import { defer, EMPTY, lastValueFrom, type Observable, of, Subject, throwError, toArray } from 'rxjs';
import {
  type AgentRunOptions,
  createAgent,
  createPipeline,
  defineHook,
  type Interrupt,
  type MessageInput,
  modify,
  retry,
  userMessage,
} from '../../../lib/index.ts';
import { scriptedModel, scriptedTool } from '../../../lib/testing/index.ts';
import { processScene } from './scene.ts';

const KINDS = ['steering_injected', 'interrupt_received', 'tool_exec_skipped', 'llm_request', 'turn_end'];
const NOTHING = { Role: '', ContentLen: 0, QueueDepth: 0, HintLen: 0 };

interface Turn {
  readonly options?: (steps: { during: (act: () => void) => void }) => AgentRunOptions;
  readonly maxIterations?: number;
}

/** Notifications to an observing process about a run that calls `one` and `two`. `during` runs while `one` runs. */
async function told({ options, maxIterations = 5 }: Turn, hooks: ReturnType<typeof defineHook>[] = []) {
  const scene = processScene({}, { intercept: [], observe: KINDS });
  let act = (): void => undefined;
  const given = options?.({ during: (what) => (act = what) }) ?? {};
  const one = scriptedTool({
    name: 'one',
    permission: 'write',
    result: () => {
      act();
      return 'first';
    },
  });
  const two = scriptedTool({ name: 'two', permission: 'write', result: 'second' });
  const model = scriptedModel([
    {
      text: 'I will.',
      toolCalls: [
        { name: 'one', input: {} },
        { name: 'two', input: {} },
      ],
    },
    'done',
    'all done',
  ]);
  const agent = createAgent({
    name: 'a',
    model,
    tools: [one, two],
    maxIterations,
    pipeline: createPipeline([scene.hook, ...hooks]),
  });
  await lastValueFrom(scene.hook.start(), { defaultValue: undefined });
  await lastValueFrom((agent.run('hi', given) as Observable<unknown>).pipe(toArray()));
  await scene.settled();
  return scene
    .frames('hook.runtime_event')
    .map(({ params }) => [params['kind'].slice('agent.'.length), params['payload'], params['correlation'].trace_id]);
}

/** Notifications about interrupts, with the requests around them. */
const flow = (frames: Awaited<ReturnType<typeof told>>) =>
  frames.map(([kind, payload]) =>
    kind === 'llm.request' || kind === 'turn.end' || kind === 'tool.exec_skipped' ? kind : [kind, payload],
  );

describe('interrupts of a turn for a PicoClaw process hook', () => {
  it('reports user messages that arrive while a tool runs, before the request that contains them', async () => {
    const frames = await told({
      options: ({ during }) => {
        const steering$ = new Subject<MessageInput>();
        during(() => {
          steering$.next('wait');
          steering$.next('not that');
        });
        return { steering$ };
      },
    });
    expect(flow(frames)).to.deep.equal([
      'llm.request',
      'tool.exec_skipped',
      ['interrupt.received', { ...NOTHING, Kind: 'steering', Role: 'user', ContentLen: 4, QueueDepth: 1 }],
      ['interrupt.received', { ...NOTHING, Kind: 'steering', Role: 'user', ContentLen: 8, QueueDepth: 2 }],
      ['steering.injected', { Count: 2, TotalContentLen: 12 }],
      'llm.request',
      'turn.end',
    ]);
    expect(frames.map(([, , trace]) => trace)).to.include.members([
      'turn.interrupt.received',
      'turn.steering.injected',
    ]);
  });

  it('reports a message before the first request, but not the input of the turn', async () => {
    const frames = await told({ options: () => ({ steering$: of('one more thing') }) });
    expect(flow(frames).slice(0, 3)).to.deep.equal([
      ['interrupt.received', { ...NOTHING, Kind: 'steering', Role: 'user', ContentLen: 14, QueueDepth: 1 }],
      ['steering.injected', { Count: 1, TotalContentLen: 14 }],
      'llm.request',
    ]);
  });

  it('reports each message once, however many model steps follow', async () => {
    let fails = 2;
    const frames = await told({ options: () => ({ steering$: of('one more thing') }) }, [
      defineHook({
        name: 'again',
        on: { error: (event) => (event.phase === 'reasoning' ? retry(event) : undefined) },
        around: {
          reasoning: (_, next) =>
            defer(() => {
              fails -= 1;
              return fails < 0 ? next() : throwError(() => new Error('overloaded'));
            }),
        },
      }),
    ]);
    expect(fails).to.be.lessThan(0);
    expect(frames.filter(([kind]) => kind === 'steering.injected')).to.have.length(1);
  });

  it('does not treat messages of hooks as steering', async () => {
    const frames = await told({}, [
      defineHook({
        name: 'adds',
        on: {
          preReasoning: (event) => modify(event, { messages: [...event.messages, userMessage('be brief')] }),
          postReasoning: (event) => (event.iteration === 2 ? retry(event, [userMessage('go on')]) : undefined),
        },
      }),
    ]);
    expect(flow(frames)).to.deep.equal(['llm.request', 'llm.request', 'llm.request', 'turn.end']);
  });

  it('reports a graceful interrupt with the length of its hint, before the last request', async () => {
    const frames = await told({
      options: ({ during }) => {
        const interrupt$ = new Subject<Interrupt>();
        during(() => interrupt$.next('graceful'));
        return { interrupt$ };
      },
    });
    const [, payload] = frames.find(([kind]) => kind === 'interrupt.received') ?? [];
    expect(payload).to.deep.equal({ ...NOTHING, Kind: 'graceful', HintLen: payload.HintLen });
    expect(payload.HintLen).to.be.greaterThan(20);
    expect(flow(frames).map((one) => (Array.isArray(one) ? one[0] : one))).to.deep.equal([
      'llm.request',
      'tool.exec_skipped',
      'interrupt.received',
      'llm.request',
      'turn.end',
    ]);
  });

  it('does not treat the summary at the step limit as an interrupt', async () => {
    expect(flow(await told({ maxIterations: 1, options: () => ({ interrupt$: EMPTY }) }))).to.deep.equal([
      'llm.request',
      'llm.request',
      'turn.end',
    ]);
  });

  it('reports a cancelled run as a hard abort before it ends', async () => {
    const frames = await told({
      options: ({ during }) => {
        const stop = new AbortController();
        during(() => stop.abort());
        return { signal: stop.signal };
      },
    });
    expect(flow(frames).slice(-2)).to.deep.equal([
      ['interrupt.received', { ...NOTHING, Kind: 'hard_abort' }],
      'turn.end',
    ]);
  });
});
