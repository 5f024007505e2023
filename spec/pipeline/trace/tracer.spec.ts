import { expect } from 'chai';
import { catchError, concat, delay, lastValueFrom, map, of, retry, take, throwError, VirtualTimeScheduler } from 'rxjs';
import {
  abort,
  createAgent,
  createPipeline,
  defineHook,
  deny,
  type EventType,
  finish,
  type Hook,
  type HookDefinition,
  type Message,
  type Model,
  type ModelChunk,
  modify,
  type SettledEvent,
  type TraceReport,
  userMessage,
  verdict,
} from '../../../lib/index.ts';
import { callOf, hear, modelOf, request, toolOf } from '../scene.ts';

const down = (): never => {
  throw new Error('down');
};
const text = (delta: string): ModelChunk => ({ type: 'text', delta });
const broken: Model = () =>
  concat(
    of(text('a')),
    throwError(() => new Error('line is down')),
  );

/** The reports during `play`: for each event its type and its steps, one line each. */
async function traced(
  hooks: readonly HookDefinition[],
  play: 'reason' | 'act' | 'call',
  model: Model = modelOf('a', 'b'),
): Promise<Record<string, string[]>> {
  const pipeline = createPipeline(hooks.map(defineHook), { trace: true });
  const told: Record<string, string[]> = {};
  pipeline.traces$.subscribe(({ event, steps }) => {
    const { type } = event as SettledEvent;
    const lines = steps.map(({ hook, stage, effect, paths = [], decision, reason }) =>
      [hook, stage, effect, ...paths, ...(decision ? [decision] : []), ...(reason ? [`(${reason})`] : [])].join(' '),
    );
    told[type] = [...(told[type] ?? []), ...lines];
  });
  const run = pipeline.start({ agent: 'a' });
  const tool = toolOf('t', () => of('x', 'y'));
  if (play === 'reason') await hear(run.reason(request, model)).ended;
  else if (play === 'act') await hear(run.act(callOf('t'), [tool])).ended;
  else await createAgent({ name: 'a', model, pipeline }).call('go');
  return told;
}

/** The virtual time in milliseconds of the reported steps of an event. The tool takes 5. */
function timed(hook: Hook, type: EventType): number[] {
  const scheduler = new VirtualTimeScheduler();
  const pipeline = createPipeline([hook], { trace: true, scheduler });
  const ms: number[] = [];
  pipeline.traces$.subscribe(({ event, steps }) => {
    if (event.type === type) ms.push(...steps.map((step) => step.ms));
  });
  hear(pipeline.start({ agent: 'a' }).act(callOf('t'), [toolOf('t', () => of('x').pipe(delay(5, scheduler)))]));
  scheduler.flush();
  return ms;
}

describe('the trace of a chunk', () => {
  it('lists the actions of handlers and operators, in order', async () => {
    const pipeline = createPipeline(
      [
        defineHook({
          name: 'upper',
          on: {
            reasoningChunk: (chunk) => (chunk.last ? undefined : modify(chunk, { delta: chunk.delta.toUpperCase() })),
          },
        }),
        defineHook({
          name: 'dots',
          through: { reasoningChunk: map((chunk) => modify(chunk, { delta: `${chunk.delta}.` })) },
        }),
        defineHook({ name: 'same', through: { reasoningChunk: (chunks$) => chunks$ } }),
      ],
      { trace: true },
    );
    const reports: TraceReport[] = [];
    pipeline.traces$.subscribe((report) => reports.push(report));
    await lastValueFrom(
      pipeline.start({ agent: 'a' }).reason({ messages: [] }, () => of({ type: 'text', delta: 'x' })),
    );
    const chunk = reports.find(({ event }) => event.type === 'reasoningChunk' && event.delta === 'X.');
    const told = chunk?.steps.map(({ hook, stage, effect }) => `${hook} ${stage} ${effect}`);
    expect(told).to.deep.equal(['upper on changed', 'dots through changed', 'same through passed']);
  });

  it('names the hook that decided', async () => {
    const deciding = [
      { name: 'h', on: { reasoningChunk: (chunk) => abort(chunk, 'enough') } },
      { name: 'h', on: { reasoningChunk: (chunk) => (chunk.last ? undefined : finish(chunk)) } },
      { name: 'h', through: { reasoningChunk: map((chunk) => abort(chunk, 'enough')) } },
      { name: 'h', through: { reasoningChunk: map((chunk) => finish(chunk)) } },
    ] satisfies HookDefinition[];
    const told: unknown[] = [];
    for (const hook of deciding) told.push((await traced([hook], 'reason'))['reasoningChunk']);
    expect(told).to.deep.equal([
      ['h on decided abort'],
      ['h on decided finish'],
      ['h through decided abort'],
      ['h through decided finish'],
    ]);
    const early = defineHook({ name: 'h', through: { reasoningChunk: (chunks$) => chunks$.pipe(take(1)) } });
    expect((await traced([early], 'reason'))['reasoningChunk']).to.deep.equal([
      'h through passed',
      'h through decided finish',
    ]);
  });
});

describe('the trace of a changed list', () => {
  const said = ['a', 'b', 'c'].map(userMessage);
  const paths = async (messages: (before: readonly Message[]) => readonly Message[]) => {
    const hook = defineHook({
      name: 'h',
      on: { preReasoning: (event) => modify(event, { messages: messages(event.messages) }) },
    });
    const pipeline = createPipeline([hook], { trace: true });
    const told: (readonly string[] | undefined)[] = [];
    pipeline.traces$.subscribe(({ event, steps }) => {
      if (event.type === 'preReasoning') told.push(...steps.map((step) => step.paths));
    });
    await hear(pipeline.start({ agent: 'a' }).reason({ messages: said }, modelOf('x'))).ended;
    return told;
  };

  it('names inserted, removed and replaced items, but not moved ones', async () => {
    const hint = userMessage('hint');
    expect(await paths((all) => [hint, ...all])).to.deep.equal([['messages.0']]);
    expect(await paths((all) => [...all, hint])).to.deep.equal([['messages.3']]);
    expect(await paths((all) => all.slice(1))).to.deep.equal([['messages.0']]);
    expect(await paths(([first, ...rest]) => [first!, hint, ...rest])).to.deep.equal([['messages.1']]);
    expect(await paths(([first, , last]) => [first!, hint, last!])).to.deep.equal([['messages.1.parts.0.text']]);
  });
});

describe('the trace of an approver', () => {
  it('follows the steps of handlers if the call was declined', async () => {
    const rewrite = defineHook({
      name: 'rewrite',
      on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { n: 2 } } }) },
    });
    const asking = defineHook({ name: 'asking', approve: () => verdict.suspend('may it?') });
    const pipeline = createPipeline([rewrite, asking], { trace: true });
    const told: string[] = [];
    pipeline.traces$.subscribe(({ event, steps }) => {
      if (event.type === 'preActing') told.push(...steps.map(({ hook, effect }) => `${hook} ${effect}`));
    });
    const call = callOf('t');
    const answers = [{ by: 'asking', approved: false, judged: call }];
    await hear(pipeline.start({ agent: 'a' }).act(call, [toolOf('t', () => 'x')], { answers })).ended;
    expect(told).to.deep.equal(['rewrite changed', 'asking skipped']);
  });

  it('includes its duration', () => {
    const slow = defineHook({
      name: 'h',
      approve: (_, { scheduler }) => of(verdict.allow()).pipe(delay(7, scheduler)),
    });
    expect(timed(slow, 'preActing')).to.deep.equal([7]);
  });

  it('marks a failure, at once or later', async () => {
    const told = await traced([{ name: 'h', approve: down }], 'act');
    expect(told['preActing']).to.deep.equal(['h approve failed (Hook "h" failed in approve: down)']);
    const later = await traced([{ name: 'h', approve: () => Promise.reject(new Error('down')) }], 'act');
    expect(later['preActing']).to.deep.equal(told['preActing']);
  });

  it('marks it as skipped, with the reason', async () => {
    const told = await traced(
      [
        { name: 'elsewhere', match: { tools: ['x'] }, approve: verdict.allow },
        { name: 'no', approve: () => ({ verdict: 'denied', reason: 'no' }) },
        { name: 'later', approve: verdict.allow },
      ],
      'act',
    );
    expect(told['preActing']).to.deep.equal([
      'elsewhere approve skipped (does not match)',
      'no approve decided deny',
      'later approve skipped (hook "no" has decided)',
    ]);
    const gate = await traced(
      [
        { name: 'gate', on: { preActing: (event) => deny(event, 'no') } },
        { name: 'judge', approve: verdict.allow },
      ],
      'act',
    );
    expect(gate['preActing']).to.deep.equal([
      'gate on decided deny',
      'judge approve skipped (hook "gate" has decided)',
    ]);
  });
});

describe('the trace of a failing hook', () => {
  const failing = '(Hook "h" failed in';

  it('is on the settled event of the gate, else on the error event', async () => {
    const before = { name: 'before', priority: 1, on: () => undefined };
    const told = async (on: HookDefinition['on'] & object, play: 'reason' | 'act' | 'call') =>
      Object.entries(await traced([before, { name: 'h', on }], play))
        .flatMap(([type, lines]) => lines.map((line) => `${type}: ${line}`))
        .filter((line) => line.includes('failed'));
    expect(await told({ preCall: down }, 'call')).to.deep.equal([`preCall: h on failed ${failing} on.preCall: down)`]);
    expect(await told({ preReasoning: down }, 'reason')).to.deep.equal([
      `error: h on failed ${failing} on.preReasoning: down)`,
    ]);
    expect(await told({ postReasoning: async () => down() }, 'reason')).to.deep.equal([
      `error: h on failed ${failing} on.postReasoning: down)`,
    ]);
    expect(await told({ preActing: async () => down() }, 'act')).to.deep.equal([
      `preActing: h on failed ${failing} on.preActing: down)`,
    ]);
    expect(await told({ postActing: down }, 'act')).to.deep.equal([
      `error: h on failed ${failing} on.postActing: down)`,
    ]);
    expect(await told({ postCall: down }, 'call')).to.deep.equal([
      `postCall: h on failed ${failing} on.postCall: down)`,
    ]);
  });

  it('includes the end of a call with token usage', async () => {
    const usage = { inputTokens: 1, outputTokens: 1 };
    const counting: Model = () => of<ModelChunk[]>(text('a'), { type: 'finish', finishReason: 'stop', usage });
    const told = await traced([{ name: 'h', on: { postCall: () => undefined } }], 'call', counting);
    expect(told['postCall']).to.deep.equal(['h on passed']);
  });

  it('includes earlier actions too', async () => {
    const told = await traced(
      [
        { name: 'before', on: { preReasoning: (event) => modify(event, { options: { seed: 1 } }) } },
        { name: 'h', on: { preReasoning: down, error: () => undefined } },
      ],
      'reason',
    );
    expect(told['error']).to.deep.equal([
      'before on changed options.seed',
      `h on failed ${failing} on.preReasoning: down)`,
      'h on passed',
    ]);
    expect(told['preReasoning']).to.equal(undefined);
  });

  it('is on the error event for a chunk failure, and on the chunk when failing open', async () => {
    const closed = { name: 'h', on: { reasoningChunk: down } };
    expect((await traced([closed], 'reason'))['error']).to.deep.equal([
      `h on failed ${failing} on.reasoningChunk: down)`,
    ]);
    const open = await traced([{ ...closed, onFailure: 'skip' }], 'reason', modelOf('a'));
    expect(open['reasoningChunk']?.[0]).to.equal(`h on failed ${failing} on.reasoningChunk: down)`);
    expect(open['error']).to.deep.equal([]);
    const operator = await traced([{ name: 'h', through: { reasoningChunk: map(down) } }], 'reason');
    expect(operator['error']).to.deep.equal([`h through failed ${failing} through.reasoningChunk: down)`]);
  });
});

describe('the trace of a wrapper', () => {
  const wrap = (reasoning: NonNullable<HookDefinition['around']>['reasoning'] & {}, model?: Model) =>
    traced([{ name: 'h', around: { reasoning } }], 'reason', model);

  it('is on the event that ends the step', async () => {
    const told = await traced(
      [
        { name: 'outer', priority: 1, around: { reasoning: (_, next) => next() } },
        { name: 'inner', priority: 2, around: { reasoning: (_, next) => next().pipe(map((chunk) => ({ ...chunk }))) } },
        { name: 'on', on: { postReasoning: () => undefined } },
      ],
      'reason',
    );
    expect(told['postReasoning']).to.deep.equal(['outer around passed', 'inner around changed', 'on on passed']);
    const failed = await wrap((_, next) => next(), broken);
    expect(failed['error']).to.deep.equal(['h around passed']);
  });

  it('shows the effect on the step', async () => {
    const post = async (...given: Parameters<typeof wrap>) => (await wrap(...given))['postReasoning'];
    expect(await post((_, next) => next().pipe(delay(1)))).to.deep.equal(['h around passed']);
    expect(await post((_, next) => next().pipe(take(1)))).to.deep.equal(['h around changed']);
    expect(await post((_, next) => concat(next(), of(text('!'))))).to.deep.equal(['h around changed']);
    expect(await post((_, next) => next({ options: { seed: 1 } }))).to.deep.equal(['h around changed options']);
    expect(await post(() => of(text('cached')))).to.deep.equal(['h around changed (answered without next)']);
    expect(await post((_, next) => next().pipe(catchError(() => of(text('!')))), broken)).to.deep.equal([
      'h around changed',
    ]);
    let asked = 0;
    const flaky: Model = (...given) => (asked++ < 2 ? broken(...given) : of(text('a')));
    expect(await post((_, next) => next().pipe(retry(2)), flaky)).to.deep.equal(['h around changed (asked 3 times)']);
  });

  it('marks a failure, closed or open', async () => {
    const told = await wrap(() => throwError(() => new Error('down')));
    expect(told['error']).to.deep.equal(['h around failed (Hook "h" failed in around.reasoning: down)']);
    const open = await traced([{ name: 'h', onFailure: 'skip', around: { reasoning: down } }], 'reason');
    expect(open['postReasoning']).to.deep.equal(told['error']);
    expect(open['error']).to.deep.equal([]);
  });

  it('marks it as skipped', async () => {
    const told = await traced(
      [
        { name: 'elsewhere', priority: 1, match: { tools: ['x'] }, around: { acting: (_, next) => next() } },
        { name: 'cache', priority: 2, around: { acting: () => of('cached') } },
        { name: 'inner', priority: 3, around: { acting: (_, next) => next() } },
      ],
      'act',
    );
    expect(told['postActing']).to.deep.equal([
      'elsewhere around skipped (does not match)',
      'cache around changed (answered without next)',
      'inner around skipped (was not reached)',
    ]);
  });

  it('includes its duration, with the step inside', () => {
    const slow = defineHook({
      name: 'h',
      around: { acting: (_, next, { scheduler }) => next().pipe(delay(2, scheduler)) },
    });
    expect(timed(slow, 'postActing')).to.deep.equal([7]);
  });
});
