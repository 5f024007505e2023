import { expect } from 'chai';
import { defer, EMPTY, from, of, Subject } from 'rxjs';
import { abort } from '../../../lib/events/decisions/abort.ts';
import { deny } from '../../../lib/events/decisions/deny.ts';
import { finish } from '../../../lib/events/decisions/finish.ts';
import { modify } from '../../../lib/events/decisions/modify.ts';
import { respond } from '../../../lib/events/decisions/respond.ts';
import { retry } from '../../../lib/events/decisions/retry.ts';
import type { EventOf, HookEvent } from '../../../lib/events/hook-event.ts';
import { assistantMessage, textOf, userMessage } from '../../../lib/events/parts/messages.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import type { Handlers, HookDefinition } from '../../../lib/pipeline/define/hook.ts';
import { silentLogger } from '../../../lib/pipeline/logger.ts';
import { recorder } from '../../../lib/testing/recorder.ts';
import { callOf, hear, modelOf, request, start, toolOf } from '../scene.ts';

const hook = (name: string, on: Handlers, own: Partial<HookDefinition> = {}) => defineHook({ name, on, ...own });
const echo = toolOf('echo', (input) => JSON.stringify(input));
const begin = (...hooks: ReturnType<typeof hook>[]) => {
  const run = start(hooks);
  const heard = hear(run.begin([userMessage('hi')]));
  return { run, heard, pre: heard.of('preCall')[0] };
};
const act = (...hooks: ReturnType<typeof hook>[]) => {
  const run = start(hooks);
  const heard = hear(run.act(callOf('echo', { n: 1 }), [echo]));
  return { run, heard, pre: heard.of('preActing')[0], post: heard.of('postActing')[0] };
};
const reason = (...hooks: ReturnType<typeof hook>[]) => {
  const run = start(hooks);
  const heard = hear(run.reason(request, modelOf('hello')));
  return { run, heard, post: heard.of('postReasoning')[0] };
};
const ruined = (run: { fatal: unknown }) => (run.fatal as Error | undefined)?.message ?? 'not failed';

describe('a gate', () => {
  describe('the contract', () => {
    it('treats an empty Observable as unchanged', () => {
      const { pre, run } = begin(hook('quiet', { preCall: () => EMPTY }));
      expect(textOf(pre?.messages[0])).to.equal('hi');
      expect(run.fatal).to.equal(undefined);
    });

    it('rejects an Observable of two events', () => {
      const { run } = begin(hook('twice', { preCall: (event) => of(event, event) }));
      expect(ruined(run)).to.match(/"twice" \(preCall\).*exactly one/);
    });

    it('rejects an array, which only chunk handlers may return', () => {
      const { run } = begin(hook('many', { preCall: ((event: HookEvent) => [event]) as never }));
      expect(ruined(run)).to.match(/"many" \(preCall\)/);
    });

    it('calls hooks only for calls with a matching permission', () => {
      const asked: string[] = [];
      const of = (permission: 'read' | 'external') =>
        hook(permission, { preActing: () => void asked.push(permission) }, { match: { permissions: [permission] } });
      const reading = toolOf('look', () => 'seen', { permission: 'read' });
      hear(start([of('read'), of('external')]).act(callOf('look'), [reading]));
      expect(asked).to.deep.equal(['read']);
    });

    it('rejects an event of another run', () => {
      const { run } = begin(
        hook('mixes', { preCall: (event) => ({ ...event, run: { ...event.run, runId: 'other' } }) }),
      );
      expect(ruined(run)).to.match(/"mixes" \(preCall\): returned an event of another run/);
    });

    it('rejects a handwritten decision that is illegal there', () => {
      const decision = { action: 'deny', reason: 'no' };
      const { run } = begin(hook('scrawls', { preCall: ((event: HookEvent) => ({ ...event, decision })) as never }));
      expect(ruined(run)).to.match(/"scrawls" \(preCall\): decided "deny"; here a handler may decide respond, abort/);
    });

    it('rejects a changed call id', () => {
      const { post } = act(
        hook('renames', { preActing: (event) => ({ ...event, toolCall: { ...event.toolCall, id: 'other' } }) }),
      );
      expect(post?.outcome).to.equal('denied');
      expect(post?.toolCall.id).to.equal('call_1');
    });

    it('rejects an invalid change and names its path', () => {
      const { run } = begin(
        hook('misfit', { preCall: (event) => ({ ...event, messages: [{ role: 'robot' }] }) as never }),
      );
      expect(ruined(run)).to.match(/"misfit" \(preCall\).*messages\.0\.role/);
    });

    it('rejects a frozen part of an event in another field', () => {
      const { run } = begin(hook('mixed', { preCall: (event) => ({ ...event, messages: [event.run] }) as never }));
      expect(ruined(run)).to.match(/"mixed" \(preCall\)/);
    });

    it('keeps handlers of concurrent events apart', async () => {
      const gate$ = new Subject<void>();
      const slow = hook('slow', {
        preActing: (event) =>
          defer(() => gate$.pipe(() => from(Promise.resolve(modify(event, { toolCall: event.toolCall }))))),
      });
      const run = start([slow]);
      const [one, two] = ['a', 'b'].map((id) => hear(run.act(callOf('echo', { id }, id), [echo])));
      await Promise.all([one?.ended, two?.ended]);
      expect(one?.of('postActing')[0]?.result.content).to.equal('{"id":"a"}');
      expect(two?.of('postActing')[0]?.result.content).to.equal('{"id":"b"}');
    });
  });

  describe('the accepted fields of a returned event', () => {
    for (const [type, members, message] of [
      [
        'preReasoning',
        { message: assistantMessage('x') },
        'changed "message" (did you mean "messages"?); a hook may change only messages, tools, model, options there.',
      ],
      ['preActing', { permission: 'read' }, 'changed "permission"; a hook may change only toolCall there.'],
      ['preActing', { input: { n: 2 } }, 'changed "input"; a hook may change only toolCall there.'],
      ['preActing', { run: { runId: 'x' } }, 'returned an event of another run.'],
      ['postActing', { content: 'CLEAN' }, 'changed "content"; a hook may change only result there.'],
      ['postActing', { outcome: 'denied' }, 'changed "outcome"; a hook may change only result there.'],
      ['postActing', { toolCall: callOf('x', {}) }, 'changed "toolCall"; a hook may change only result there.'],
      [
        'postReasoning',
        { usage: { inputTokens: 0, outputTokens: 0 } },
        'changed "usage"; a hook may change only message there.',
      ],
      ['postReasoning', { finishReason: 'length' }, 'changed "finishReason"; a hook may change only message there.'],
      ['preReasoning', { seq: 7 }, 'changed "seq"; a hook may change only messages, tools, model, options there.'],
    ] as const) {
      it(`rejects a field that hooks may not change, by name: ${Object.keys(members)} of ${type}`, () => {
        const smuggler = hook('smuggler', { [type]: (event: object) => ({ ...event, ...members }) });
        const told: string[] = [];
        const log = {
          ...silentLogger,
          error: (fields: { err?: Error }) => void told.push(String(fields.err?.message)),
        };
        const run = start([smuggler], { log: log as never });
        hear(
          type.includes('Reasoning') ? run.reason(request, modelOf('a')) : run.act(callOf('echo', { n: 1 }), [echo]),
        );
        expect(told[0]).to.equal(`Hook "smuggler" (${type}): ${message}`);
      });
    }

    it('accepts an event whose other fields are its own copies', () => {
      const copies = hook('copies', {
        preActing: (event) => ({ ...structuredClone(event), toolCall: { ...event.toolCall, input: { n: 2 } } }),
      });
      const { pre } = act(copies);
      expect(pre?.toolCall.input).to.deep.equal({ n: 2 });
    });

    it('accepts only the decision for an error event', () => {
      const liar = hook('liar', {
        error: (event) => ({ ...event, source: 'host', error: { name: 'E', message: 'fine' } }),
      });
      const heard = hear(start([liar]).fail(new Error('broken')));
      expect(heard.lines()).to.deep.equal(['error call host "broken"']);
    });

    it('stamps notes and decisions with the hook, overriding their own author', () => {
      const forger = hook('forger', {
        preActing: (event) => ({
          ...event,
          notes: [{ by: 'guard', code: 'ok', message: 'seen' }],
          decision: { action: 'deny', reason: 'no', by: 'guard' },
        }),
      });
      const { pre } = act(forger);
      expect(pre?.notes).to.deep.equal([{ by: 'forger', code: 'ok', message: 'seen' }]);
      expect(pre?.decision).to.deep.equal({ action: 'deny', reason: 'no', by: 'forger' });
    });

    it('appends notes and prevents their removal', () => {
      const first = hook('first', { preCall: (event) => modify(event, {}, { note: { code: 'a', message: '1' } }) });
      const second = hook('second', {
        preCall: (event) => ({ ...event, notes: [{ code: 'b', message: '2' }] }) as never,
      });
      const { pre } = begin(first, second);
      expect(pre?.notes?.map(({ by, code }) => `${by} ${code}`)).to.deep.equal(['first a', 'second b']);
    });

    it('rejects invalid notes', () => {
      const { run } = begin(hook('scrawl', { preCall: (event) => ({ ...event, notes: ['remark'] }) as never }));
      expect(ruined(run)).to.match(/"scrawl" \(preCall\).*notes/);
    });
  });

  describe('immutability', () => {
    it('freezes the event of a handler before the next one sees it', () => {
      const first = hook('first', { preCall: (event) => modify(event, { messages: [userMessage('changed')] }) });
      const second = hook('second', {
        preCall(event) {
          (event as { messages: unknown }).messages = [];
        },
      });
      const { run } = begin(first, second);
      expect(ruined(run)).to.match(/"second" failed in on\.preCall: .*read only/);
    });

    it('freezes an event with a note only', () => {
      const first = hook('first', { preActing: (event) => modify(event, {}, { note: { code: 'a', message: '1' } }) });
      const second = hook('second', {
        preActing(event) {
          (event as { permission: string }).permission = 'read';
        },
      });
      expect(act(first, second).post?.outcome).to.equal('denied');
    });

    it("copies a handler's values, so that later changes have no effect", () => {
      const messages = [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'given' }] }];
      const first = hook('first', { preCall: (event) => modify(event, { messages }) });
      const second = hook('second', {
        preCall() {
          (messages[0]?.parts[0] as { text: string }).text = 'changed later';
        },
      });
      expect(textOf(begin(first, second).pre?.messages[0])).to.equal('given');
    });

    it('shows observers a frozen event', () => {
      const { pre, post } = act();
      expect(
        [pre, pre?.toolCall, pre?.toolCall.input, post, post?.result].every((part) => Object.isFrozen(part)),
      ).to.equal(true);
    });
  });

  describe('decisions', () => {
    const seen: string[] = [];
    const witness = hook('witness', {
      preActing: () => void seen.push('preActing'),
      postReasoning: () => void seen.push('post'),
    });
    beforeEach(() => seen.splice(0));

    it('applies a stricter one of a later hook', () => {
      const { pre, post } = act(
        hook('a', { preActing: (event) => respond(event, 'cached') }),
        hook('b', { preActing: (event) => deny(event, 'no') }),
      );
      expect(pre?.decision).to.include({ action: 'deny', by: 'b' });
      expect(post?.outcome).to.equal('denied');
    });

    it('ignores a weaker one and notes it', () => {
      const { post } = reason(
        hook('a', { postReasoning: (event) => retry(event) }),
        hook('b', { postReasoning: (event) => finish(event) }),
      );
      expect(post?.decision).to.include({ action: 'finish', by: 'b' });
      const respondThenRetry = hear(
        start([
          hook('a', { error: (event) => respond(event as EventOf<'error'> & { phase: 'reasoning' }, 'saved') }),
          hook('b', { error: (event) => retry(event as EventOf<'error'> & { phase: 'reasoning' }) }),
        ]).reason(request, () => {
          throw new Error('down');
        }),
      );
      const [error] = respondThenRetry.of('error');
      expect(error?.decision).to.include({ action: 'respond', by: 'a' });
      expect(error?.notes).to.deep.equal([
        { by: 'b', code: 'decision-ignored', message: '"retry" ignored: hook "a" has decided "respond"' },
      ]);
    });

    it('keeps the first of equal rank', () => {
      const { pre, post } = act(
        hook('a', { preActing: (event) => respond(event, 'first') }),
        hook('b', { preActing: (event) => respond(event, 'second') }),
      );
      expect(post?.result.content).to.equal('first');
      expect(pre?.notes).to.have.length(1);
      expect(pre?.notes?.[0]).to.include({ by: 'b', code: 'decision-ignored' });
    });

    it('cannot be removed by a later hook', () => {
      const { pre } = act(
        hook('a', { preActing: (event) => respond(event, 'cached') }),
        hook('b', {
          preActing: (event) => {
            const { decision: _, ...rest } = event;
            return rest as typeof event;
          },
        }),
      );
      expect(pre?.decision).to.include({ action: 'respond', by: 'a' });
    });

    for (const [name, decide] of Object.entries({
      deny: (event: EventOf<'preActing'>) => deny(event, 'no'),
      abort: (event: EventOf<'preActing'>) => abort(event, 'stop'),
    })) {
      it(`skips the remaining handlers after ${name}; observers still see it`, () => {
        const watcher = recorder();
        const { pre } = act(hook('a', { preActing: decide }), witness, watcher);
        expect(seen).to.deep.equal([]);
        expect(watcher.of('preActing')).to.deep.equal([pre]);
      });
    }

    it('skips the remaining handlers after finish, but not after respond or retry', () => {
      reason(hook('a', { postReasoning: (event) => finish(event) }), witness);
      expect(seen).to.deep.equal([]);
      reason(hook('a', { postReasoning: (event) => retry(event) }), witness);
      expect(seen).to.deep.equal(['post']);
      act(hook('a', { preActing: (event) => respond(event, 'x') }), witness);
      expect(seen).to.deep.equal(['post', 'preActing']);
    });

    it('skips the remaining handlers after an asynchronous decision', async () => {
      const { heard } = act(hook('a', { preActing: async (event) => deny(event, 'no') }), witness);
      await heard.ended;
      expect(seen).to.deep.equal([]);
      expect(heard.of('postActing')[0]?.outcome).to.equal('denied');
    });

    it('accepts one that an earlier event carried', () => {
      let kept: unknown;
      const keeper = hook('keeper', {
        preActing(event) {
          if (kept) return { ...event, decision: kept } as never;
          return deny(event, 'no');
        },
      });
      const watcher = defineHook({
        name: 'watcher',
        observe(event) {
          if (event.type === 'preActing') kept ??= event.decision;
        },
      });
      const run = start([keeper, watcher]);
      const outcomes = ['a', 'b'].map(
        (id) => hear(run.act(callOf('echo', {}, id), [echo])).of('postActing')[0]?.outcome,
      );
      expect(outcomes).to.deep.equal(['denied', 'denied']);
    });

    it('reports a forgotten one also if the handler returned a change instead', () => {
      const { run } = begin(
        hook('a', {
          preCall: (event) => {
            abort(event, 'stop');
            return modify(event, { messages: [] });
          },
        }),
      );
      expect(ruined(run)).to.match(/"a" \(preCall\): took a decision but did not return it/);
    });

    it('may be made from a modified event', () => {
      const { pre } = begin(
        hook('a', { preCall: (event) => respond(modify(event, { messages: [userMessage('changed')] }), 'done') }),
      );
      expect(pre?.decision).to.deep.include({ action: 'respond', message: assistantMessage('done'), by: 'a' });
      expect(textOf(pre?.messages[0])).to.equal('changed');
    });

    it('does not report the next hook for one forgotten by a hook that fails open', async () => {
      const forgetful = hook('forgetful', { preCall: (event) => void abort(event, 'stop') }, { onFailure: 'skip' });
      const innocent = hook('innocent', { preCall: async () => undefined });
      const { run, heard } = begin(forgetful, innocent);
      await heard.ended;
      expect(run.fatal).to.equal(undefined);
      expect(heard.of('error').map((event) => event.hook)).to.deep.equal(['forgetful']);
    });
  });

  describe('failure', () => {
    const broken = (name: string, onFailure: 'skip' | 'block') =>
      hook(
        name,
        {
          preCall() {
            throw new Error(`${name} is broken`);
          },
        },
        { onFailure },
      );

    it('reports every failed hook, also open ones before a closed one', () => {
      const { heard } = begin(broken('a', 'skip'), broken('b', 'skip'), broken('c', 'block'));
      const failed = heard.of('error').map((event) => event.hook);
      expect([...failed].sort()).to.deep.equal(['a', 'b', 'c']);
    });

    it('drops an unfinished change', () => {
      const half = hook(
        'half',
        {
          preCall(event) {
            modify(event, { messages: [] });
            throw new Error('in the middle');
          },
        },
        { onFailure: 'skip' },
      );
      expect(textOf(begin(half).pre?.messages[0])).to.equal('hi');
    });

    it('continues with the next hook after one that fails open', () => {
      const next = hook('next', { preCall: (event) => modify(event, { messages: [userMessage('next')] }) });
      expect(textOf(begin(broken('a', 'skip'), next).pre?.messages[0])).to.equal('next');
    });

    it('stops at a hook that fails closed', () => {
      let reached = false;
      const next = hook('next', {
        preCall() {
          reached = true;
        },
      });
      const { run } = begin(broken('a', 'block'), next);
      expect(reached).to.equal(false);
      expect(ruined(run)).to.contain('a is broken');
    });
  });
});
