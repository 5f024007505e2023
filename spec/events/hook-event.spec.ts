import { expect } from 'chai';
import { abort } from '../../lib/events/decisions/abort.ts';
import { wasDecided } from '../../lib/events/decisions/decisions-taken.ts';
import { deny } from '../../lib/events/decisions/deny.ts';
import { eventRules, eventTypes } from '../../lib/events/decisions/event-rules.ts';
import { finish } from '../../lib/events/decisions/finish.ts';
import { modify } from '../../lib/events/decisions/modify.ts';
import { respond } from '../../lib/events/decisions/respond.ts';
import { retry } from '../../lib/events/decisions/retry.ts';
import { type HookEvent, hookEventSchema } from '../../lib/events/hook-event.ts';
import type { Message } from '../../lib/events/parts/message.ts';
import {
  assistantMessage,
  systemMessage,
  textOf,
  toMessage,
  toolCallsOf,
  userMessage,
} from '../../lib/events/parts/messages.ts';
import { errorResult, toolResult } from '../../lib/events/parts/tool-result.ts';
import { anEvent } from '../../lib/testing/an-event.ts';

const call = { id: 'call_1', name: 'bash', input: { command: 'ls', deep: [{ n: 1 }] } };
const full: Message = {
  role: 'assistant',
  origin: 'guard',
  parts: [
    { type: 'thinking', text: 'hm', metadata: { signature: 'abc' } },
    { type: 'text', text: 'one ' },
    { type: 'media', url: 'media://1', mediaType: 'image/png' },
    { type: 'toolCall', toolCall: call },
    { type: 'toolResult', toolCallId: 'call_0', toolName: 'x', result: { content: 'y', isError: true } },
    { type: 'text', text: 'two' },
  ],
};
const notes = [{ by: 'guard', code: 'seen', message: 'x', data: { n: 1 } }];
const run = {
  runId: 'r',
  sessionId: 's',
  userId: 'u',
  agent: 'a',
  parentRunId: 'p',
  depth: 1,
  resumedFrom: 'q',
  metadata: { chat: 1 },
};

/** One event of each type, with all optional fields. */
const samples: Record<string, HookEvent> = {
  preCall: anEvent.preCall(full, { run, notes, decision: { action: 'respond', message: full, by: 'x' } }),
  preReasoning: anEvent.preReasoning({
    messages: [full],
    model: 'm',
    tools: [{ name: 'bash', description: 'd', inputSchema: { type: 'object' }, permission: 'write' }],
    options: { toolChoice: { tool: 'bash' }, temperature: 0, stop: ['x'], seed: 1, provider: { a: [1] } },
    decision: { action: 'abort', reason: 'no', rollback: true },
  }),
  reasoningChunk: anEvent.toolInput('{"a', { block: 2, attempt: 3, decision: { action: 'finish' } }),
  postReasoning: anEvent.postReasoning(full, {
    usage: { inputTokens: 1, outputTokens: 2, reasoningTokens: 1 },
    decision: { action: 'retry', messages: [full] },
  }),
  preActing: anEvent.preActing('bash', call.input, { decision: { action: 'suspend', prompt: 'sure?', by: 'x' } }),
  actingChunk: anEvent.actingChunk('out', { last: false }),
  postActing: anEvent.postActing(
    {
      content: 'x',
      isError: false,
      forUser: 'y',
      silent: true,
      handled: true,
      media: [{ url: 'media://1' }],
      artifactTags: ['a'],
      async: true,
    },
    { outcome: 'responded', durationMs: 1.5 },
  ),
  postCall: anEvent.postCall(full, {
    outcome: 'suspended',
    snapshot: { version: 1 },
    usage: { inputTokens: 1, outputTokens: 1 },
    reason: 'r',
  }),
  'error of a call': anEvent.callError('x', { decision: { action: 'respond', message: full } }),
  'error of a reasoning': anEvent.reasoningError('x', { hook: 'h', source: 'hook', decision: { action: 'retry' } }),
  'error of an acting': anEvent.actingError('x', {
    error: { name: 'E', message: 'm', code: 'C', stack: 's', cause: { name: 'E', message: 'c' } },
  }),
};

describe('an event', () => {
  for (const [what, event] of Object.entries(samples)) {
    it(`survives JSON: ${what}`, () => {
      const settled = anEvent.settled(event, 7, 1234.5);
      const back = JSON.parse(JSON.stringify(settled));
      expect(hookEventSchema.parse(back)).to.deep.equal(settled);
    });

    it(`rejects an unknown field: ${what}`, () => {
      expect(hookEventSchema.safeParse({ ...event, extra: 1 }).success).to.equal(false);
      const { run: _, ...rest } = event;
      expect(hookEventSchema.safeParse(rest).success).to.equal(false);
    });
  }

  it('has one of nine types, which the samples cover', () => {
    expect(eventTypes).to.have.length(9);
    expect(new Set(Object.values(samples).map(({ type }) => type))).to.deep.equal(new Set(eventTypes));
  });

  it('rejects a decision that is illegal for its type', () => {
    for (const event of Object.values(samples)) {
      for (const decision of [
        { action: 'deny', reason: 'x' },
        { action: 'finish' },
        { action: 'abort', reason: 'x' },
        { action: 'retry' },
      ]) {
        const may = [
          ...eventRules[event.type].decisions,
          ...(event.type === 'preActing' ? ['suspend'] : []),
        ] as string[];
        const fits = hookEventSchema.safeParse({ ...event, decision }).success;
        const byPhase = event.type === 'error' && event.phase === 'call' && decision.action === 'retry';
        expect(fits, `${event.type} ${decision.action}`).to.equal(may.includes(decision.action) && !byPhase);
      }
    }
  });
});

describe('decision helpers', () => {
  const js = (helper: unknown) => helper as (...args: unknown[]) => HookEvent;
  const { preCall, preReasoning, reasoningChunk, postReasoning, preActing, actingChunk, postActing, postCall } = {
    preCall: anEvent.preCall('hi'),
    preReasoning: anEvent.preReasoning(),
    reasoningChunk: anEvent.text('a'),
    postReasoning: anEvent.postReasoning(),
    preActing: anEvent.preActing(),
    actingChunk: anEvent.actingChunk('a'),
    postActing: anEvent.postActing(),
    postCall: anEvent.postCall(),
  };
  const all = {
    preCall,
    preReasoning,
    reasoningChunk,
    postReasoning,
    preActing,
    actingChunk,
    postActing,
    postCall,
    error: anEvent.reasoningError('x'),
  };
  const decide: Record<string, (event: HookEvent) => HookEvent> = {
    respond: (event) => js(respond)(event, 'x'),
    deny: (event) => js(deny)(event, 'x'),
    retry: (event) => js(retry)(event),
    finish: (event) => js(finish)(event),
    abort: (event) => js(abort)(event, 'x'),
  };
  for (const [type, event] of Object.entries(all)) {
    for (const [action, helper] of Object.entries(decide)) {
      const may: readonly string[] = eventRules[event.type].decisions;
      if (may.includes(action)) {
        it(`${action} leaves a ${type} event unchanged`, () => {
          const decided = helper(event);
          expect(decided.decision).to.include({ action });
          expect(event).not.to.have.property('decision');
          expect({ ...decided, decision: undefined }).to.deep.equal({ ...event, decision: undefined });
        });
      } else {
        it(`${action} rejects a ${type} event, and reports the legal decisions`, () => {
          expect(() => helper(event))
            .to.throw(new RegExp(`${action}\\(\\): a ${type} event cannot.*${may.join(', ') || 'nothing'}`))
            .with.property('code', 'DECISION_ILLEGAL');
        });
      }
    }
  }

  it('reports a missing event', () => {
    for (const nothing of [undefined, null, {}, { type: 'preParty' }, 42]) {
      expect(() => js(deny)(nothing, 'x')).to.throw(/first argument must be the event/);
      expect(() => js(modify)(nothing, { messages: [] }), String(nothing)).to.throw(/first argument must be the event/);
    }
  });

  it('reports a missing reason or answer', () => {
    expect(() => js(deny)(preActing)).to.throw(/must be the reason/);
    expect(() => js(abort)(preCall)).to.throw(/must be the reason/);
    expect(() => js(respond)(preCall)).to.throw(/the answer, is missing/);
  });

  it('changes only the fields that a type allows', () => {
    for (const event of Object.values(all)) {
      const keys: readonly string[] = eventRules[event.type].changes;
      for (const key of [
        'messages',
        'tools',
        'delta',
        'message',
        'toolCall',
        'content',
        'result',
        'run',
        'decision',
        'usage',
        'seq',
      ]) {
        const change = () => js(modify)(event, { [key]: 'x' });
        if (keys.includes(key)) expect(change()).to.have.property(key, 'x');
        else
          expect(change)
            .to.throw(new RegExp(`"${key}" of a ${event.type} event cannot be changed`))
            .with.property('code', 'CHANGE_ILLEGAL');
      }
    }
  });

  it('rejects a change of a field to undefined, by name', () => {
    for (const event of Object.values(all))
      for (const key of eventRules[event.type].changes)
        expect(() => js(modify)(event, { [key]: undefined }))
          .to.throw(`"${key}" of a ${event.type} event cannot be undefined. Leave "${key}" out to keep it as it is.`)
          .with.property('code', 'CHANGE_ILLEGAL');
  });

  it('adds a note to a change, after the existing notes', () => {
    const once = modify(preCall, {}, { note: { code: 'a', message: '1' } });
    const twice = modify(once, { messages: [] }, { note: { code: 'b', message: '2' } });
    expect(twice.notes?.map(({ code }) => code)).to.deep.equal(['a', 'b']);
    expect(preCall).not.to.have.property('notes');
  });

  it('responds with a message or a result, depending on the event', () => {
    expect(respond(preCall, 'x').decision).to.deep.equal({ action: 'respond', message: assistantMessage('x') });
    expect(respond(preActing, 'x').decision).to.deep.equal({ action: 'respond', result: toolResult('x') });
    expect(respond(anEvent.actingError('e'), errorResult('x')).decision).to.deep.equal({
      action: 'respond',
      result: errorResult('x'),
    });
    expect(respond(anEvent.callError('e'), full).decision).to.deep.equal({ action: 'respond', message: full });
  });

  it('retries with one or several user messages', () => {
    expect(retry(postReasoning, 'more').decision).to.deep.equal({ action: 'retry', messages: [userMessage('more')] });
    expect(retry(postReasoning, ['a', full]).decision).to.deep.equal({
      action: 'retry',
      messages: [userMessage('a'), full],
    });
    expect(retry(postReasoning).decision).to.deep.equal({ action: 'retry' });
  });

  it('aborts with a rollback only on request', () => {
    expect(abort(preCall, 'x', { rollback: true }).decision).to.deep.equal({
      action: 'abort',
      reason: 'x',
      rollback: true,
    });
    expect(abort(preCall, 'x', { rollback: false }).decision).to.deep.equal({ action: 'abort', reason: 'x' });
  });

  it('rejects unknown options, and values that are not options', () => {
    const wrong: [() => HookEvent, string, RegExp][] = [
      [() => js(abort)(preCall, 'x', { rolback: true }), 'DECISION_ILLEGAL', /abort\(\).*"rolback".*"rollback"/],
      [
        () => js(abort)(preCall, 'x', { rollback: 'no' }),
        'DECISION_ILLEGAL',
        /abort\(\).*rollback must be true or false/,
      ],
      [() => js(abort)(preCall, 'x', true), 'DECISION_ILLEGAL', /abort\(\).*must be an object/],
      [() => js(modify)(preCall, {}, { nots: { code: 'a' } }), 'CHANGE_ILLEGAL', /modify\(\).*"nots".*only note/],
      [() => js(modify)(preCall, {}, { code: 'a', message: 'm' }), 'CHANGE_ILLEGAL', /modify\(\).*"code"/],
      [() => js(modify)(preCall, {}, []), 'CHANGE_ILLEGAL', /modify\(\).*must be an object/],
    ];
    for (const [call, code, message] of wrong) expect(call).to.throw(message).with.property('code', code);
    expect(js(abort)(preCall, 'x', { rollback: undefined }).decision).to.deep.equal({ action: 'abort', reason: 'x' });
    expect(js(modify)(preCall, {}, { note: undefined }).notes).to.equal(undefined);
  });

  it('records the event of a decision, also after changes', () => {
    const events = [1, 2, 3, 4].map(() => anEvent.preCall('hi'));
    const [direct, changed, chunked, untouched] = events as [
      (typeof events)[0],
      (typeof events)[0],
      (typeof events)[0],
      (typeof events)[0],
    ];
    abort(direct, 'x');
    abort(modify(modify(changed, { messages: [] }), {}), 'x');
    modify(chunked, { messages: [] });
    expect([direct, changed, chunked, untouched].map(wasDecided)).to.deep.equal([true, true, false, false]);
    const chunk = anEvent.text('a');
    finish(modify(chunk, { delta: 'b' }));
    expect(wasDecided(chunk)).to.equal(true);
  });
});

describe('a message', () => {
  it('is created from text', () => {
    expect(
      [systemMessage('a'), userMessage('b'), assistantMessage('c')].map(({ role, parts }) => [role, parts]),
    ).to.deep.equal([
      ['system', [{ type: 'text', text: 'a' }]],
      ['user', [{ type: 'text', text: 'b' }]],
      ['assistant', [{ type: 'text', text: 'c' }]],
    ]);
    expect(toMessage('x', 'user')).to.deep.equal(userMessage('x'));
    expect(toMessage(full, 'user')).to.equal(full);
  });

  it('returns only its text and its calls', () => {
    expect(textOf(full)).to.equal('one two');
    expect(textOf(undefined)).to.equal('');
    expect(toolCallsOf(full)).to.deep.equal([call]);
    expect(toolCallsOf(undefined)).to.deep.equal([]);
  });
});
