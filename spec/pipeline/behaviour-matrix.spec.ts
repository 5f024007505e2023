import { expect } from 'chai';
import { defer, EMPTY, from, map, NEVER, type Observable, of, throwError, timeout } from 'rxjs';
import { abort } from '../../lib/events/decisions/abort.ts';
import { deny } from '../../lib/events/decisions/deny.ts';
import { eventRules, eventTypes } from '../../lib/events/decisions/event-rules.ts';
import { finish } from '../../lib/events/decisions/finish.ts';
import { modify } from '../../lib/events/decisions/modify.ts';
import { respond } from '../../lib/events/decisions/respond.ts';
import { retry } from '../../lib/events/decisions/retry.ts';
import type { EventOf, EventType, HookEvent, SettledEvent } from '../../lib/events/hook-event.ts';
import { assistantMessage, textOf, userMessage } from '../../lib/events/parts/messages.ts';
import { defineHook } from '../../lib/pipeline/define/define-hook.ts';
import { type FailurePolicy, type HookDefinition, verdict } from '../../lib/pipeline/define/hook.ts';
import type { Model, ModelChunk, ModelRequest } from '../../lib/pipeline/define/model.ts';
import type { Tool, ToolItem } from '../../lib/pipeline/define/tool.ts';
import type { Run } from '../../lib/pipeline/run/run.ts';
import { recorder } from '../../lib/testing/recorder.ts';
import { callOf, hear, keptLog, modelOf, pause, request, start, toolOf } from './scene.ts';

/** The outcome of one scene with one hook. */
interface World {
  readonly events: readonly SettledEvent[];
  readonly observed: readonly SettledEvent[];
  readonly run: Run;
  readonly logged: readonly { msg: string; hook?: string }[];
  /** The model requests and the tool inputs. */
  readonly asked: readonly string[];
  readonly completed: boolean;
}

const NAME = 'probe';
/** The timeout of a late hook. All others have plenty of time. */
const MS = 4;

/** One phase of a run, with a minimal model and tool that show the effect of a hook on `type`. */
const scenes: Record<EventType, { play: (run: Run, model: Model, tool: Tool) => Observable<SettledEvent> }> = {
  preCall: { play: (run) => run.begin([userMessage('raw')]) },
  preReasoning: { play: (run, model) => run.reason({ messages: [userMessage('raw')] }, model) },
  reasoningChunk: { play: (run, model) => run.reason(request, model) },
  postReasoning: { play: (run, model) => run.reason(request, model) },
  preActing: { play: (run, _, tool) => run.act(callOf('speak', { text: 'raw' }), [tool]) },
  actingChunk: { play: (run, _, tool) => run.act(callOf('speak'), [tool]) },
  postActing: { play: (run, _, tool) => run.act(callOf('speak'), [tool]) },
  postCall: { play: (run) => run.end({ outcome: 'completed', message: assistantMessage('raw') }) },
  error: {
    play: (run) =>
      run.reason(request, () => {
        throw new Error('raw');
      }),
  },
};

async function play(type: EventType, definition: Partial<HookDefinition>): Promise<World> {
  const { log, lines } = keptLog();
  const seen = recorder();
  const hook = defineHook({ name: NAME, timeoutMs: 2_000, ...definition });
  const run = start([hook, seen], { log });
  const asked: string[] = [];
  const model: Model = (given: ModelRequest, context) => {
    asked.push(textOf(given.messages[0]));
    return modelOf('raw', ' more')(given, context);
  };
  const tool = toolOf('speak', (input) => {
    asked.push(String(input['text'] ?? ''));
    return from(['raw', ' more']);
  });
  const heard = hear(scenes[type].play(run, model, tool));
  await heard.ended;
  expect(heard.error).to.equal(undefined);
  return { events: heard.events, observed: seen.events, run, logged: lines, asked, completed: heard.completed };
}

const eventsOf = <T extends EventType>(world: World, type: T) =>
  world.events.filter((event) => event.type === type) as unknown as SettledEvent<EventOf<T>>[];
const hookErrors = (world: World) => eventsOf(world, 'error').filter(({ source }) => source === 'hook');
const logLine = (world: World) => world.logged.filter(({ hook, msg }) => hook === NAME && msg === 'a hook failed');

/** The visible text that a hook on `type` may change. */
function textOn(type: EventType, world: World): string {
  switch (type) {
    case 'preCall':
      return textOf(eventsOf(world, 'preCall')[0]?.messages[0]);
    case 'preReasoning':
      return world.asked[0] ?? 'not asked';
    case 'reasoningChunk':
    case 'postReasoning':
      return textOf(eventsOf(world, 'postReasoning')[0]?.message);
    case 'preActing':
      return world.asked[0] ?? 'not run';
    case 'actingChunk':
    case 'postActing':
      return eventsOf(world, 'postActing')[0]?.result.content ?? 'none';
    case 'postCall':
      return textOf(eventsOf(world, 'postCall')[0]?.message);
    case 'error':
      return eventsOf(world, 'error')[0]?.error.message ?? 'none';
  }
}

const rawText: Record<EventType, string> = {
  preCall: 'raw',
  preReasoning: 'raw',
  reasoningChunk: 'raw more',
  postReasoning: 'raw more',
  preActing: 'raw',
  actingChunk: 'raw more',
  postActing: 'raw more',
  postCall: 'raw',
  error: 'raw',
};

function change(event: HookEvent): HookEvent {
  switch (event.type) {
    case 'preCall':
    case 'preReasoning':
      return modify(event, { messages: [userMessage('changed')] });
    case 'reasoningChunk':
      return event.last ? event : modify(event, { delta: `<${event.delta}>` });
    case 'actingChunk':
      return event.last ? event : modify(event, { content: `<${event.content}>` });
    case 'postReasoning':
    case 'postCall':
      return modify(event, { message: assistantMessage('changed') });
    case 'preActing':
      return modify(event, { toolCall: { ...event.toolCall, input: { text: 'changed' } } });
    case 'postActing':
      return modify(event, { result: { content: 'changed', isError: false } });
    case 'error':
      return event;
  }
}

const changedText = (type: EventType) =>
  type === 'error' ? 'raw' : type === 'reasoningChunk' || type === 'actingChunk' ? '<raw>< more>' : 'changed';

function mutate(event: HookEvent): void {
  const open = event as unknown as Record<string, unknown>;
  switch (event.type) {
    case 'reasoningChunk':
      open['delta'] = 'mutated';
      return;
    case 'actingChunk':
      open['content'] = 'mutated';
      return;
    case 'preActing':
      (event.toolCall.input as Record<string, unknown>)['text'] = 'mutated';
      return;
    case 'preCall':
    case 'preReasoning':
      (event.messages[0]?.parts as unknown[])[0] = { type: 'text', text: 'mutated' };
      return;
    case 'postReasoning':
    case 'postCall':
      (event.message as { parts: unknown }).parts = [];
      return;
    case 'postActing':
      (event.result as { content: string }).content = 'mutated';
      return;
    case 'error':
      (event.error as { message: string }).message = 'mutated';
  }
}

/** Each decision, made with its helper. A chunk handler decides only on chunks with text. */
const decisions: Record<string, (event: never) => HookEvent> = {
  respond: (event: EventOf<'preActing'>) => respond(event, 'answer'),
  deny: (event: EventOf<'preActing'>) => deny(event, 'no'),
  retry: (event: EventOf<'postReasoning'>) => retry(event),
  finish: (event: EventOf<'postActing'>) => finish(event),
  abort: (event: EventOf<'postActing'>) => abort(event, 'stop'),
};
const allActions = ['respond', 'suspend', 'deny', 'retry', 'finish', 'abort'];
const bareDecision: Record<string, object> = {
  respond: { action: 'respond', message: assistantMessage('answer') },
  suspend: { action: 'suspend', prompt: 'sure?' },
  deny: { action: 'deny', reason: 'no' },
  retry: { action: 'retry' },
  finish: { action: 'finish' },
  abort: { action: 'abort', reason: 'stop' },
};

const isEmptyLast = (event: HookEvent) => 'last' in event && event.last;

/** Checks the outcome of a failing handler by event type and policy. */
function expectFailure(type: EventType, policy: FailurePolicy, world: World, code: string, what: RegExp): void {
  expect(logLine(world), 'log line').to.have.length.greaterThan(0);
  if (type === 'error' || type === 'postCall') {
    expect(hookErrors(world), 'error events').to.deep.equal([]);
    expect(textOn(type, world)).to.equal(rawText[type]);
    return;
  }
  const errors = hookErrors(world);
  expect(errors, 'error events').to.have.length.greaterThan(0);
  expect(errors[0]).to.deep.include({ source: 'hook', hook: NAME });
  expect(errors[0]?.error.code).to.equal(code);
  expect(errors[0]?.error.message).to.contain(`"${NAME}"`).and.match(what);
  if (policy === 'skip') {
    expect(world.run.fatal, 'fatal').to.equal(undefined);
    expect(textOn(type, world)).to.equal(rawText[type]);
    return;
  }
  if (type === 'preActing') {
    expect(world.run.fatal, 'fatal').to.equal(undefined);
    expect(world.asked).to.deep.equal([]);
    const [post] = eventsOf(world, 'postActing');
    expect(post?.outcome).to.equal('denied');
    expect(post?.result.content).to.contain(`hook "${NAME}" failed`);
    return;
  }
  expect(world.run.fatal, 'fatal').to.include({ code });
  expect(errors).to.have.length(1);
  // Nothing unapproved gets through: no chunk, answer, result or request.
  expect(eventsOf(world, 'postReasoning')).to.deep.equal([]);
  if (type === 'preReasoning') expect(world.asked).to.deep.equal([]);
  if (type === 'reasoningChunk') expect(eventsOf(world, 'reasoningChunk')).to.deep.equal([]);
  if (type === 'actingChunk') expect(eventsOf(world, 'actingChunk')).to.deep.equal([]);
  if (type === 'actingChunk' || type === 'postActing') {
    const [post] = eventsOf(world, 'postActing');
    expect(post?.outcome).to.equal('failed');
    expect(post?.result.isError).to.equal(true);
    expect(JSON.stringify(world.observed)).not.to.match(/"content":"[^"]*raw more/);
  }
}

/** Checks the outcome of a decision by event type. */
function expectDecision(type: EventType, action: string, world: World): void {
  const decided = world.events.find((event) => event.type === type && event.decision);
  expect(decided?.decision, 'the settled event').to.include({ action, by: NAME });
  expect(world.observed, 'observers').to.include(decided);
  expect(hookErrors(world)).to.deep.equal([]);
  const [postReasoning] = eventsOf(world, 'postReasoning');
  const [postActing] = eventsOf(world, 'postActing');
  switch (`${type} ${action}`) {
    case 'preReasoning respond':
      expect(world.asked).to.deep.equal([]);
      expect(postReasoning).to.include({ finishReason: 'responded' });
      expect(textOf(postReasoning?.message)).to.equal('answer');
      return;
    case 'preReasoning abort':
      expect(world.asked).to.deep.equal([]);
      expect(postReasoning).to.equal(undefined);
      return;
    case 'reasoningChunk finish':
      expect(postReasoning).to.include({ finishReason: 'stopped' });
      expect(textOf(postReasoning?.message)).to.equal('raw');
      return;
    case 'reasoningChunk abort':
      expect(postReasoning).to.equal(undefined);
      expect(eventsOf(world, 'reasoningChunk').map(({ delta }) => delta)).to.deep.equal(['']);
      return;
    case 'preActing respond':
      expect(world.asked).to.deep.equal([]);
      expect(postActing).to.deep.include({ outcome: 'responded', result: { content: 'answer', isError: false } });
      return;
    case 'preActing deny':
      expect(world.asked).to.deep.equal([]);
      expect(postActing?.outcome).to.equal('denied');
      expect(postActing?.result.content).to.contain('no');
      return;
    case 'preActing abort':
      expect(world.asked).to.deep.equal([]);
      expect(postActing?.outcome).to.equal('skipped');
      return;
    case 'actingChunk finish':
      expect(postActing).to.deep.include({ outcome: 'executed', result: { content: 'raw', isError: false } });
      return;
    case 'actingChunk abort':
      expect(postActing?.outcome).to.equal('cancelled');
      expect(eventsOf(world, 'actingChunk').map(({ content }) => content)).to.deep.equal(['']);
      return;
    case 'error respond':
      expect(textOf(postReasoning?.message)).to.equal('answer');
      expect(world.run.fatal).to.equal(undefined);
      return;
    case 'error retry':
      expect(eventsOf(world, 'preReasoning').map(({ attempt }) => attempt)).to.deep.equal([1, 2]);
      return;
  }
}

type Wrap = (produce: () => unknown) => unknown;
const shapes: Record<string, Wrap> = {
  synchronously: (produce) => produce(),
  'with a promise': async (produce) => {
    await pause();
    return produce();
  },
  'with an Observable': (produce) => defer(() => of(produce())),
};

/** A hook whose handler on `type` runs `behave` in the shape of `wrap`. It skips the last chunk of a block. */
function onHook(type: EventType, wrap: Wrap, policy: FailurePolicy, behave: (event: HookEvent) => unknown) {
  const handler = (event: HookEvent) => (isEmptyLast(event) ? undefined : wrap(() => behave(event)));
  return { onFailure: policy, on: { [type]: handler } as HookDefinition['on'] } as Partial<HookDefinition>;
}

const policies: readonly FailurePolicy[] = ['block', 'skip'];

describe('the behaviour matrix', () => {
  for (const type of eventTypes) {
    for (const [shape, wrap] of Object.entries(shapes)) {
      describe(`on.${type}, ${shape}`, () => {
        it('leaves the event alone if it returns nothing', async () => {
          const world = await play(
            type,
            onHook(type, shape === 'with an Observable' ? () => of() : wrap, 'block', () => undefined),
          );
          const chunk = type === 'reasoningChunk' || type === 'actingChunk';
          // An empty Observable drops a chunk but leaves a gate event alone.
          expect(textOn(type, world)).to.equal(chunk && shape === 'with an Observable' ? '' : rawText[type]);
          expect(hookErrors(world)).to.deep.equal([]);
        });

        it('leaves the event alone if it returns it unchanged', async () => {
          const world = await play(
            type,
            onHook(type, wrap, 'block', (event) => event),
          );
          expect(textOn(type, world)).to.equal(rawText[type]);
          expect(hookErrors(world)).to.deep.equal([]);
        });

        it(type === 'error' ? 'cannot change the event' : 'changes what happens', async () => {
          const world = await play(type, onHook(type, wrap, 'block', change));
          expect(textOn(type, world)).to.equal(changedText(type));
          expect(hookErrors(world)).to.deep.equal([]);
        });

        for (const action of eventRules[type].decisions) {
          it(`decides ${action}`, async () => {
            let first = true;
            const once = (event: HookEvent) => {
              // A retried step fails again; one decision is enough.
              if (!first) return undefined;
              first = false;
              return decisions[action]?.(event as never);
            };
            expectDecision(type, action, await play(type, onHook(type, wrap, 'block', once)));
          });
        }

        for (const policy of policies) {
          const failing = (behave: (event: HookEvent) => unknown) => play(type, onHook(type, wrap, policy, behave));

          it(`throws (onFailure: ${policy})`, async () => {
            const world = await failing(() => {
              throw new Error('broken');
            });
            expectFailure(type, policy, world, 'HOOK_FAILED', /broken/);
          });

          if (shape !== 'synchronously') {
            it(`takes too long (onFailure: ${policy})`, async () => {
              let signal: AbortSignal | undefined;
              const never = shape === 'with a promise' ? () => new Promise(() => {}) : () => NEVER;
              const handler = (event: HookEvent, context: { signal: AbortSignal }) => {
                if (isEmptyLast(event)) return undefined;
                signal ??= context.signal;
                return never();
              };
              const world = await play(type, {
                onFailure: policy,
                timeoutMs: MS,
                on: { [type]: handler } as HookDefinition['on'],
              } as never);
              expectFailure(type, policy, world, 'HOOK_TIMEOUT', /within 4 ms/);
              expect(signal?.aborted).to.equal(true);
            });
          }

          for (const [what, rubbish] of Object.entries({
            null: () => null,
            'a number': () => 42,
            'a string': () => 'raw',
            'an empty object': () => ({}),
            'an event of another type': (event: HookEvent) => ({
              ...event,
              type: event.type === 'preCall' ? 'postCall' : 'preCall',
            }),
            'an event of another run': (event: HookEvent) => ({ ...event, run: { ...event.run, runId: 'other' } }),
          })) {
            it(`returns ${what} for an event (onFailure: ${policy})`, async () => {
              expectFailure(type, policy, await failing(rubbish), 'HOOK_CONTRACT', new RegExp(type));
            });
          }

          for (const action of allActions.filter(
            (one) => !(eventRules[type].decisions as readonly string[]).includes(one),
          )) {
            it(`decides ${action}, which is illegal there (onFailure: ${policy})`, async () => {
              const world = await failing((event) => ({ ...event, decision: bareDecision[action] }));
              expectFailure(type, policy, world, 'HOOK_CONTRACT', new RegExp(`"${action}"`));
            });
          }

          it(`mutates the event in place (onFailure: ${policy})`, async () => {
            const world = await failing((event) => {
              mutate(event);
              return event;
            });
            expectFailure(type, policy, world, 'HOOK_FAILED', /read only|not extensible|Cannot/);
          });

          const [first] = eventRules[type].decisions;
          if (first) {
            it(`does not return its decision (onFailure: ${policy})`, async () => {
              const world = await failing((event) => void decisions[first]?.(event as never));
              expectFailure(type, policy, world, 'HOOK_CONTRACT', /did not return it/);
            });
          }
        }
      });
    }
  }

  for (const type of ['reasoningChunk', 'actingChunk'] as const) {
    describe(`through.${type}`, () => {
      type Chunk = EventOf<'reasoningChunk'>;
      const through = (operator: (chunks$: Observable<Chunk>) => unknown) =>
        play(type, { timeoutMs: MS, through: { [type]: operator } as never });
      const failed = (world: World, code: string, what: RegExp) => expectFailure(type, 'block', world, code, what);

      it('passes chunks', async () => {
        const world = await through((chunks$) => chunks$);
        expect(textOn(type, world)).to.equal('raw more');
      });

      it('changes chunks', async () => {
        const world = await through((chunks$) => chunks$.pipe(map((chunk) => change(chunk))));
        expect(textOn(type, world)).to.equal('<raw>< more>');
      });

      it('throws during setup', async () => {
        const operator = () => {
          throw new Error('broken');
        };
        failed(await through(operator), 'HOOK_FAILED', /broken/);
      });

      it('fails during the stream', async () => {
        failed(await through(() => throwError(() => new Error('broken'))), 'HOOK_FAILED', /broken/);
      });

      it('never completes', async () => {
        failed(await through(() => NEVER), 'HOOK_TIMEOUT', /did not complete within 4 ms/);
      });

      it('returns a value that is not an Observable', async () => {
        failed(await through(() => 42), 'HOOK_CONTRACT', /must return an Observable/);
      });

      for (const [what, item] of Object.entries({ undefined, null: null, 'a number': 42, 'an empty object': {} })) {
        it(`emits ${what} for a chunk`, async () => {
          failed(await through((chunks$) => chunks$.pipe(map(() => item))), 'HOOK_CONTRACT', new RegExp(type));
        });
      }

      for (const action of ['finish', 'abort']) {
        it(`decides ${action}`, async () => {
          const decide = decisions[action] as (event: never) => HookEvent;
          const world = await through((chunks$) => chunks$.pipe(map((chunk) => decide(chunk as never))));
          expectDecision(type, action, world);
        });
      }

      for (const action of ['respond', 'suspend', 'deny', 'retry']) {
        it(`decides ${action}, which is illegal there`, async () => {
          const world = await through((chunks$) =>
            chunks$.pipe(map((chunk) => ({ ...chunk, decision: bareDecision[action] }))),
          );
          failed(world, 'HOOK_CONTRACT', new RegExp(`"${action}"`));
        });
      }

      it('mutates a chunk in place', async () => {
        const operator = (chunks$: Observable<Chunk>) =>
          chunks$.pipe(
            map((chunk) => {
              mutate(chunk);
              return chunk;
            }),
          );
        failed(await through(operator), 'HOOK_FAILED', /read only/);
      });

      it('does not emit its decision', async () => {
        const operator = (chunks$: Observable<Chunk>) =>
          chunks$.pipe(
            map((chunk) => {
              finish(chunk);
              return chunk;
            }),
          );
        failed(await through(operator), 'HOOK_CONTRACT', /did not return it/);
      });
    });
  }

  for (const phase of ['reasoning', 'acting'] as const) {
    describe(`around.${phase}`, () => {
      type Item = ModelChunk | ToolItem;
      type Around = (event: HookEvent, next: () => Observable<Item>) => unknown;
      const type = phase === 'reasoning' ? 'postReasoning' : 'postActing';
      const around = (wrapper: Around, failure: FailurePolicy = 'block') =>
        play(type, { onFailure: failure, around: { [phase]: wrapper } as never });
      const item = (text: string): Item => (phase === 'reasoning' ? { type: 'text', delta: text } : text);

      /** A failing wrapper has emitted nothing, so failing closed costs only the step. */
      const expectFailed = (world: World, what: RegExp, code = 'HOOK_FAILED') => {
        expect(hookErrors(world)).to.have.length(1);
        expect(hookErrors(world)[0]).to.deep.include({ hook: NAME, phase });
        expect(hookErrors(world)[0]?.error).to.include({ code });
        expect(hookErrors(world)[0]?.error.message).to.match(what);
        if (phase === 'reasoning') {
          expect(world.run.fatal).to.include({ code });
          expect(eventsOf(world, 'postReasoning')).to.deep.equal([]);
        } else {
          expect(world.run.fatal).to.equal(undefined);
          expect(eventsOf(world, 'postActing')[0]).to.include({ outcome: 'failed' });
        }
      };
      const expectSkipped = (world: World) => {
        expect(hookErrors(world)).to.have.length(1);
        expect(world.run.fatal).to.equal(undefined);
        expect(world.asked).to.have.length(1);
        expect(textOn(type, world)).to.equal('raw more');
      };

      it('passes chunks on', async () => {
        expect(textOn(type, await around((_, next) => next()))).to.equal('raw more');
      });

      it('changes streamed chunks', async () => {
        const world = await around((_, next) => next().pipe(map(() => item('x'))));
        expect(textOn(type, world)).to.equal('xx');
      });

      it('answers without next', async () => {
        const world = await around(() => of(item('cached')));
        expect(textOn(type, world)).to.equal('cached');
        expect(world.asked).to.deep.equal([]);
      });

      const broken: Record<string, [Around, RegExp, string?]> = {
        throws: [
          () => {
            throw new Error('broken');
          },
          /broken/,
        ],
        'fails without a request': [() => throwError(() => new Error('broken')), /broken/],
        'returns a value that is not an Observable': [() => 42, /must return an Observable/, 'HOOK_CONTRACT'],
        'returns nothing': [() => undefined, /must return an Observable/, 'HOOK_CONTRACT'],
        'mutates the event in place': [
          (event, next) => {
            (event as { iteration: number }).iteration = 99;
            return next();
          },
          /read only/,
        ],
      };
      for (const [what, [wrapper, message, code]] of Object.entries(broken)) {
        it(`${what}, failing closed`, async () => {
          const world = await around(wrapper);
          expectFailed(world, message, code);
          expect(world.asked).to.deep.equal([]);
        });

        it(`${what}, failing open`, async () => {
          expectSkipped(await around(wrapper, 'skip'));
        });
      }

      it('exceeds its own timeout', async () => {
        const world = await around(() => NEVER.pipe(timeout(MS)));
        expectFailed(world, /Timeout/);
      });

      it('streams invalid values', async () => {
        const world = await around(() => of(42 as unknown as Item));
        const [error] = eventsOf(world, 'error');
        expect(error?.error.code).to.equal(phase === 'reasoning' ? 'MODEL_FAILED' : 'TOOL_FAILED');
        expect(textOn(type, world)).not.to.contain('42');
      });
    });
  }

  describe('approve', () => {
    const judged = (approve: unknown, own: Partial<HookDefinition> = {}) =>
      play('preActing', { approve: approve as never, ...own });
    const outcomeOf = (world: World) => eventsOf(world, 'postActing')[0]?.outcome;
    const verdictShapes: Record<string, (value: unknown) => unknown> = {
      synchronously: (value) => value,
      'with a promise': (value) => pause().then(() => value),
      'with an Observable': (value) => of(value),
    };

    for (const [shape, give] of Object.entries(verdictShapes)) {
      it(`approves ${shape}`, async () => {
        const world = await judged(() => give(verdict.allow()));
        expect(outcomeOf(world)).to.equal('executed');
        expect(world.asked).to.deep.equal(['raw']);
      });

      it(`denies ${shape}`, async () => {
        const world = await judged(() => give(verdict.deny('not today')));
        expect(outcomeOf(world)).to.equal('denied');
        expect(eventsOf(world, 'preActing')[0]?.decision).to.include({ action: 'deny', reason: 'not today', by: NAME });
        expect(world.asked).to.deep.equal([]);
      });

      it(`suspends ${shape}`, async () => {
        const world = await judged(() => give(verdict.suspend('sure?')));
        expect(outcomeOf(world)).to.equal(undefined);
        expect(eventsOf(world, 'preActing')[0]?.decision).to.include({ action: 'suspend', prompt: 'sure?', by: NAME });
        expect(world.asked).to.deep.equal([]);
      });

      for (const rubbish of [undefined, null, true, 'approved', {}, { verdict: 'yes' }, { verdict: 'denied' }]) {
        it(`denies when it returns ${JSON.stringify(rubbish)} ${shape}`, async () => {
          const world = await judged(() => give(rubbish));
          expectFailure(
            'preActing',
            'block',
            world,
            'HOOK_CONTRACT',
            /verdict.allow\(\), verdict.deny\(reason\) or verdict.suspend/,
          );
        });
      }
    }

    const broken: Record<string, [unknown, string, RegExp]> = {
      throws: [
        () => {
          throw new Error('broken');
        },
        'HOOK_FAILED',
        /broken/,
      ],
      'returns a promise that rejects': [() => Promise.reject(new Error('broken')), 'HOOK_FAILED', /broken/],
      'returns an Observable that fails': [() => throwError(() => new Error('broken')), 'HOOK_FAILED', /broken/],
      'returns an empty Observable': [() => EMPTY, 'HOOK_CONTRACT', /verdict.allow\(\)/],
      'returns a promise that never settles': [() => new Promise(() => {}), 'HOOK_TIMEOUT', /within 4 ms/],
      'returns an Observable that never completes': [() => NEVER, 'HOOK_TIMEOUT', /within 4 ms/],
      'mutates the call': [
        (event: EventOf<'preActing'>) => {
          (event.toolCall.input as Record<string, unknown>)['text'] = 'mutated';
          return verdict.allow();
        },
        'HOOK_FAILED',
        /read only/,
      ],
    };
    for (const [what, [approve, code, message]] of Object.entries(broken)) {
      it(`denies when it ${what}`, async () => {
        expectFailure('preActing', 'block', await judged(approve, { timeoutMs: MS }), code, message);
      });

      it(`denies when it ${what}, even if the hook fails open elsewhere`, async () => {
        const world = await play('preActing', {
          onFailure: 'skip',
          timeoutMs: MS,
          on: { preCall: () => undefined },
          approve: approve as never,
        });
        expectFailure('preActing', 'block', world, code, message);
      });
    }
  });

  describe('observe', () => {
    const observers: Record<string, (event: HookEvent) => unknown> = {
      'returns nothing': () => undefined,
      'returns an invalid value': () => 42,
      'returns a changed event': (event) => change(event),
      'returns a decision': (event) => ({ ...event, decision: { action: 'abort', reason: 'stop' } }),
      throws: () => {
        throw new Error('broken');
      },
      'returns a promise that rejects': () => Promise.reject(new Error('broken')),
      'returns an Observable that fails': () => throwError(() => new Error('broken')),
      'never ends': () => NEVER,
      'mutates the event': (event) => mutate(event),
    };
    for (const type of eventTypes) {
      for (const [what, observe] of Object.entries(observers)) {
        it(`changes nothing of ${type} when it ${what}`, async () => {
          const world = await play(type, { observe, timeoutMs: MS });
          expect(textOn(type, world)).to.equal(rawText[type]);
          expect(hookErrors(world)).to.deep.equal([]);
          expect(world.events.every(({ decision }) => decision === undefined)).to.equal(true);
          expect(world.observed).to.deep.equal(world.events);
        });
      }
    }
  });
});
