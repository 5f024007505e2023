import { expect } from 'chai';
import { NEVER, Observable, of, Subject } from 'rxjs';
import { eventTypes } from '../../../lib/events/decisions/event-rules.ts';
import type { EventType } from '../../../lib/events/hook-event.ts';
import { userMessage } from '../../../lib/events/parts/messages.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import { type Hook, type HookDefinition, verdict } from '../../../lib/pipeline/define/hook.ts';
import type { Tool } from '../../../lib/pipeline/define/tool.ts';
import type { Run } from '../../../lib/pipeline/run/run.ts';
import { recorder } from '../../../lib/testing/recorder.ts';
import { callOf, hear, modelOf, pause, request, start, toolOf } from '../scene.ts';

/** A hook that waits forever at one place, and a witness of everything that runs after it. */
function stuck(at: Partial<HookDefinition>): { hooks: Hook[]; ran: string[]; seen: ReturnType<typeof recorder> } {
  const ran: string[] = [];
  const note = (what: string) => () => void ran.push(what);
  const on = Object.fromEntries(eventTypes.map((type) => [type, note(type)]));
  const witness = defineHook({
    name: 'witness',
    priority: 900,
    on,
    approve() {
      ran.push('approve');
      return verdict.allow();
    },
    around: {
      acting(_, next) {
        ran.push('around.acting');
        return next();
      },
    },
  });
  const seen = recorder();
  return { hooks: [defineHook({ name: 'stuck', timeoutMs: 1e6, ...at }), witness, seen], ran, seen };
}

const signals: AbortSignal[] = [];
const never = (_: unknown, context: { signal: AbortSignal }) => {
  signals.push(context.signal);
  return NEVER;
};
const onType = (type: EventType) => ({ on: { [type]: never } as HookDefinition['on'] }) as Partial<HookDefinition>;

const begin = (run: Run) => run.begin([userMessage('hi')]);
const reason = (run: Run) => run.reason(request, modelOf('a'));
const act =
  (tool: Tool = toolOf('t', () => of('a'))) =>
  (run: Run) =>
    run.act(callOf('t'), [tool]);
const neverTool = (state: { aborted: boolean; unsubscribed: boolean }): Tool =>
  toolOf('t', (_, { signal }) => {
    signal.addEventListener('abort', () => {
      state.aborted = true;
    });
    return new Observable<string>(() => () => {
      state.unsubscribed = true;
    });
  });

/** The places where a run may wait at a cancellation, with the events that observers then see. */
const places: Record<string, [Partial<HookDefinition>, (run: Run) => Observable<unknown>, string[]]> = {
  'on.preCall': [onType('preCall'), begin, ['preCall']],
  'on.preReasoning': [onType('preReasoning'), reason, []],
  'on.reasoningChunk': [onType('reasoningChunk'), reason, ['preReasoning']],
  'through.reasoningChunk': [{ through: { reasoningChunk: never } }, reason, ['preReasoning']],
  'around.reasoning': [
    { around: { reasoning: (event, _, context) => never(event, context) } },
    reason,
    ['preReasoning'],
  ],
  'on.postReasoning': [onType('postReasoning'), reason, ['preReasoning', 'reasoningChunk "a"', 'reasoningChunk last']],
  'on.preActing': [onType('preActing'), act(), ['postActing call_1 skipped …']],
  approve: [{ approve: never }, act(), ['postActing call_1 skipped …']],
  'around.acting': [
    { around: { acting: (event, _, context) => never(event, context) } },
    act(),
    ['preActing call_1 t {}', 'postActing call_1 cancelled …'],
  ],
  'on.actingChunk': [onType('actingChunk'), act(), ['preActing call_1 t {}', 'postActing call_1 cancelled …']],
  'through.actingChunk': [
    { through: { actingChunk: never } },
    act(),
    ['preActing call_1 t {}', 'postActing call_1 cancelled …'],
  ],
  'on.postActing': [
    onType('postActing'),
    act(),
    ['preActing call_1 t {}', 'actingChunk call_1 "a"', 'actingChunk call_1 last', 'postActing call_1 cancelled …'],
  ],
};

const shorten = (lines: readonly string[]) => lines.map((line) => line.replace(/^(postActing \S+ \S+) .*/, '$1 …'));

describe('a cancellation', () => {
  beforeEach(() => signals.splice(0));

  for (const [place, [at, phase, told]] of Object.entries(places)) {
    for (const how of ['by unsubscribing', 'of the run'] as const) {
      it(`${how}, while ${place} waits, runs only observers`, () => {
        const { hooks, ran, seen } = stuck(at);
        const run = start(hooks);
        const heard = hear(phase(run) as never);
        const before = [...ran];
        if (how === 'of the run') run.cancel('enough');
        else heard.subscription.unsubscribe();
        expect(ran).to.deep.equal(before);
        expect(shorten(seen.lines())).to.deep.equal(told);
        expect(heard.error).to.equal(undefined);
        if (how === 'of the run') expect(heard.completed).to.equal(true);
        expect(signals.length > 0 && signals.every(({ aborted }) => aborted)).to.equal(true);
      });
    }
  }

  for (const how of ['by unsubscribing', 'of the run'] as const) {
    it(`${how} aborts a running tool and unsubscribes from it`, () => {
      const state = { aborted: false, unsubscribed: false };
      const seen = recorder();
      const run = start([seen]);
      const heard = hear(act(neverTool(state))(run));
      if (how === 'of the run') run.cancel('enough');
      else heard.subscription.unsubscribe();
      expect(state).to.deep.equal({ aborted: true, unsubscribed: true });
      expect(seen.of('postActing')[0]).to.include({ outcome: 'cancelled' });
      expect(heard.of('postActing')).to.have.length(how === 'of the run' ? 1 : 0);
    });

    it(`${how} aborts a model and unsubscribes from it`, () => {
      const state = { aborted: false, unsubscribed: false };
      const run = start([]);
      const heard = hear(
        run.reason(request, (_, { signal }) => {
          signal.addEventListener('abort', () => {
            state.aborted = true;
          });
          return new Observable(() => () => {
            state.unsubscribed = true;
          });
        }),
      );
      if (how === 'of the run') run.cancel();
      else heard.subscription.unsubscribe();
      expect(state).to.deep.equal({ aborted: true, unsubscribed: true });
    });

    it(`${how} returns the iterator of a model`, async () => {
      let returned = 0;
      const run = start([]);
      const iterator = {
        next: () => new Promise<never>(() => {}),
        return: async () => {
          returned += 1;
          return { done: true as const, value: undefined };
        },
      };
      const heard = hear(run.reason(request, () => ({ [Symbol.asyncIterator]: () => iterator })));
      if (how === 'of the run') run.cancel();
      else heard.subscription.unsubscribe();
      await pause();
      expect(returned).to.equal(1);
    });
  }

  it('passes the reason to the signal', () => {
    const { hooks } = stuck(onType('preCall'));
    const run = start(hooks);
    hear(begin(run));
    run.cancel('the user left');
    expect(signals[0]?.reason).to.include({ name: 'AbortError', message: 'the user left' });
  });

  it('during the postActing of a call adds no second one', () => {
    const seen = recorder();
    const run = start([seen]);
    act()(run).subscribe((event) => {
      if (event.type === 'postActing') run.cancel();
    });
    expect(seen.lines('postActing')).to.deep.equal(['postActing call_1 executed "a"']);
  });

  it('before the start of a call skips it', () => {
    const seen = recorder();
    const run = start([seen]);
    run.cancel('enough');
    const heard = hear(act()(run));
    expect(heard.lines()).to.deep.equal(['postActing call_1 skipped "The call was not started: enough."']);
  });

  it('of one call leaves the others running', () => {
    const [one, two] = [new Subject<string>(), new Subject<string>()];
    const run = start([]);
    const tools = [toolOf('one', () => one), toolOf('two', () => two)];
    const first = hear(run.act(callOf('one', {}, 'a'), tools));
    const second = hear(run.act(callOf('two', {}, 'b'), tools));
    first.subscription.unsubscribe();
    two.next('still here');
    two.complete();
    expect(second.of('postActing')[0]?.result.content).to.equal('still here');
    expect(one.observed).to.equal(false);
  });

  it('from a synchronous handler ends the phase there', () => {
    const ran: string[] = [];
    let run: Run;
    const self = defineHook({ name: 'self', on: { preReasoning: () => run.cancel('from within') } });
    const later = defineHook({
      name: 'later',
      on: { reasoningChunk: () => void ran.push('chunk'), postReasoning: () => void ran.push('post') },
    });
    run = start([self, later]);
    const heard = hear(reason(run));
    expect(ran).to.deep.equal([]);
    expect(heard.completed).to.equal(true);
    expect(heard.of('postReasoning')).to.deep.equal([]);
  });

  it('from a consumer between two events ends the phase there', () => {
    const run = start([]);
    let asked = false;
    const types: string[] = [];
    const subscription = run
      .reason(request, () => {
        asked = true;
        return of({ type: 'text', delta: 'a' });
      })
      .subscribe((event) => {
        types.push(event.type);
        run.cancel();
      });
    expect(types).to.deep.equal(['preReasoning']);
    expect(asked).to.equal(false);
    expect(subscription.closed).to.equal(true);
  });

  it('settles exactly one postCall, as cancelled, without its handlers', () => {
    let handled = 0;
    const hook = defineHook({
      name: 'hook',
      on: {
        postCall() {
          handled += 1;
        },
      },
    });
    const seen = recorder();
    const run = start([hook, seen]);
    run.cancel('enough');
    const heard = hear(run.end({ outcome: 'completed' }));
    expect(heard.lines()).to.deep.equal(['postCall cancelled (enough)']);
    expect(seen.lines()).to.deep.equal(['postCall cancelled (enough)']);
    expect(handled).to.equal(0);
  });

  it('during on.postCall still ends the run', () => {
    const { hooks, seen } = stuck(onType('postCall'));
    const run = start(hooks);
    const heard = hear(run.end({ outcome: 'completed' }));
    expect(heard.events).to.deep.equal([]);
    run.cancel('enough');
    expect(heard.lines()).to.deep.equal(['postCall cancelled (enough)']);
    expect(seen.lines('postCall')).to.have.length(1);
    expect(signals[0]?.aborted).to.equal(true);
  });

  it('emits the same events on the hot stream as to observers', () => {
    const pipeline = createPipeline(stuck(onType('preActing')).hooks);
    const hot = hear(pipeline.events$);
    const heard = hear(act()(pipeline.start({ agent: 'agent' })));
    heard.subscription.unsubscribe();
    expect(heard.events).to.deep.equal([]);
    expect(hot.of('postActing')[0]).to.include({ outcome: 'skipped' });
  });
});
