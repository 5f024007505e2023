import { expect } from 'chai';
import { agentTool, createAgent, createPipeline, defineHook, type Hook, type SettledEvent, verdict } from 'hookline';
import { scriptedModel, scriptedTool } from 'hookline/testing';
import { delay, of, tap, timeout, VirtualTimeScheduler } from 'rxjs';
import { recordedHooks } from '../../../../lib/hooks/recorder/hook-origin.ts';
import { type RunPause, runPause } from '../../../../lib/server/runs/control/run-pause.ts';

const DAY = 24 * 3_600_000;
const look = { name: 'look', input: {} };

/** What to do with the pause at a time in milliseconds. */
type Plan = Readonly<Record<number, (pause: RunPause) => void>>;
const hold = (pause: RunPause) => pause.set(true);
const goOn = (pause: RunPause) => pause.set(false);

describe('the pause of a run', () => {
  /** A run in virtual time. Its model and its tool take 10 ms each. */
  function run(plan: Plan, hooks: (scheduler: VirtualTimeScheduler) => readonly Hook[] = () => []) {
    const scheduler = new VirtualTimeScheduler();
    const pause = runPause(false);
    const did: string[] = [];
    const begins = (what: string) => did.push(`${what} at ${scheduler.now()}`);
    const slow = defineHook({
      name: 'slow',
      priority: 500,
      around: {
        reasoning(_, next) {
          begins('model');
          return next().pipe(delay(10, scheduler));
        },
        acting(_, next) {
          begins('tool');
          return next().pipe(delay(10, scheduler));
        },
      },
    });
    const agent = createAgent({
      name: 'a',
      model: scriptedModel([{ toolCalls: [look] }, 'done']),
      tools: [scriptedTool({ name: 'look', result: 'nothing' })],
      pipeline: createPipeline([slow, ...hooks(scheduler)], { scheduler, trace: true }),
    });
    const events: SettledEvent[] = [];
    agent.run('go', { hooks: [pause.hook] }).subscribe((event) => events.push(event));
    for (const [at, act] of Object.entries(plan)) scheduler.schedule(() => act(pause), Number(at));
    scheduler.flush();
    const post = events.at(-1);
    return { did, events, pause, outcome: post?.type === 'postCall' ? post.outcome : undefined };
  }

  it('does nothing while it is not set', () => {
    const { did, outcome, pause } = run({});
    expect(did).to.deep.equal(['model at 0', 'tool at 10', 'model at 20']);
    expect([outcome, pause.isHeeded]).to.deep.equal(['completed', true]);
  });

  it('holds the next call, and no timeout ends it', () => {
    const strict = (scheduler: VirtualTimeScheduler) => [
      defineHook({
        name: 'strict',
        timeoutMs: 50,
        around: {
          acting: (_, next) => next().pipe(timeout({ first: 50, scheduler })),
          reasoning: (_, next) => next().pipe(timeout({ first: 50, scheduler })),
        },
        on: { preActing: (event) => of(event).pipe(delay(1, scheduler)) },
        approve: () => of(verdict.allow()).pipe(delay(1, scheduler)),
      }),
    ];
    const { did, outcome } = run({ 5: hold, [DAY]: goOn }, strict);
    expect(did).to.deep.equal(['model at 0', `tool at ${DAY}`, `model at ${DAY + 10}`]);
    expect(outcome).to.equal('completed');
  });

  it('lets a call in progress end, and holds the next model request', () => {
    const { did, outcome } = run({ 15: hold, [DAY]: goOn });
    expect(did).to.deep.equal(['model at 0', 'tool at 10', `model at ${DAY}`]);
    expect(outcome).to.equal('completed');
  });

  it('holds a call that is approved meanwhile', () => {
    const answered: number[] = [];
    const person = (scheduler: VirtualTimeScheduler) => [
      defineHook({
        name: 'person',
        approve: () =>
          of(verdict.allow()).pipe(
            delay(1_000, scheduler),
            tap(() => answered.push(scheduler.now())),
          ),
      }),
    ];
    const { did } = run({ 500: hold, [DAY]: goOn }, person);
    expect(answered).to.deep.equal([1_010]);
    expect(did[1]).to.equal(`tool at ${DAY}`);
  });

  it('denies a held call if the run is interrupted', () => {
    const { did, events } = run({ 5: hold, [DAY]: (pause) => pause.interrupt() });
    expect(did).to.deep.equal(['model at 0', `model at ${DAY}`]);
    const acted = events.find((event) => event.type === 'postActing');
    expect(acted).to.have.property('outcome', 'denied');
    expect(JSON.stringify(acted)).to.include('the run was interrupted while it was paused');
  });

  it('lasts until its end, however often it was set', () => {
    const endless = run({ 5: hold });
    expect([endless.did, endless.outcome]).to.deep.equal([['model at 0'], undefined]);
    expect(run({ 5: hold, 6: hold, 90: goOn, 91: goOn }).outcome).to.equal('completed');
    expect(run({ 5: hold, 90: goOn, 95: hold, 200: goOn }).did.at(-1)).to.equal('model at 200');
  });

  it('is not part of the policy in a recording', () => {
    expect(recordedHooks([runPause(false).hook, defineHook({ name: 'own', observe: () => {} })])).to.deep.equal([
      { name: 'own' },
    ]);
  });

  it('holds sub-agents', () => {
    const asked: string[] = [];
    const noting = (name: string) =>
      defineHook({
        name: `noting-${name}`,
        around: {
          reasoning({ run: { agent } }, next) {
            asked.push(agent);
            return next();
          },
        },
      });
    const child = createAgent({ name: 'child', model: scriptedModel(['found']) });
    const pause = runPause(false);
    const late = defineHook({
      name: 'late',
      around: {
        acting(_, next) {
          pause.set(true);
          return next();
        },
      },
    });
    const parent = createAgent({
      name: 'parent',
      model: scriptedModel([{ toolCalls: [{ name: 'child', input: { prompt: 'look' } }] }, 'done']),
      tools: [agentTool(child, { description: 'Looks.' })],
      pipeline: createPipeline([late, noting('all')]),
    });
    const types: string[] = [];
    parent.run('go', { hooks: [pause.hook] }).subscribe(({ type }) => types.push(type));
    expect(asked).to.deep.equal(['parent']);
    pause.set(false);
    expect(asked).to.deep.equal(['parent', 'child', 'parent']);
    expect(types.at(-1)).to.equal('postCall');
  });
});
