import { expect } from 'chai';
import { delay, lastValueFrom, mergeMap, of, throwError, timer, toArray } from 'rxjs';
import { agentTool } from '../../../lib/agent/agent-tool.ts';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import { toolCache } from '../../../lib/hooks/tool-cache/tool-cache.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import { verdict } from '../../../lib/pipeline/define/hook.ts';
import { hookContract } from '../../../lib/testing/hook-contract.ts';
import { scriptedModel } from '../../../lib/testing/scripts/scripted-model.ts';
import { type Call, calls } from './calls.ts';

describe('toolCache', () => {
  it('answers a repeated call with the earlier result until it expires', () => {
    const { ran, got } = calls([{}, { at: 10 }, { at: 1_009 }, { at: 1_010 }], { ttlMs: 1_010 });
    expect(ran).to.deep.equal(['0 look', '1010 look']);
    expect(got).to.deep.equal(['0 answer 1', '10 answer 1', '1009 answer 1', '1010 answer 2']);
  });

  it('matches calls by tool and input with any order of fields, and by agent and user', () => {
    const same: Call[] = [{ input: { a: 1, b: [{ c: 1, d: 2 }] } }, { at: 1, input: { b: [{ d: 2, c: 1 }], a: 1 } }];
    expect(calls(same).ran).to.have.length(1);
    for (const other of [{ input: { a: 2 } }, { agent: 'b' }, { userId: 'u' }, { sessionId: 't' }] as Call[])
      expect(calls([{}, { at: 1, ...other }]).ran, JSON.stringify(other)).to.have.length(2);
  });

  it('shares across sessions only with a user, and across agents and users only if configured', () => {
    const user = { userId: 'u' };
    expect(calls([user, { at: 1, ...user, sessionId: 't' }]).ran).to.have.length(1);
    expect(calls([user, { at: 1, ...user, sessionId: 't' }], { per: ['user', 'session'] }).ran).to.have.length(2);
    expect(calls([user, { at: 1, ...user, agent: 'b' }], { per: ['user'] }).ran).to.have.length(1);
    expect(calls([user, { at: 1, userId: 'v', sessionId: 't', agent: 'b' }], { per: [] }).ran).to.have.length(1);
  });

  it('stores no results of external or write tools, or of tools not listed', () => {
    expect(calls([{ tool: 'fetch' }, { at: 1, tool: 'fetch' }]).ran).to.have.length(2);
    expect(calls([{}, { at: 1 }], { tools: ['other'] }).ran).to.have.length(2);
  });

  it("drops only the results of that user after a write by any of the user's agents", () => {
    const write = { at: 1, tool: 'write' };
    expect(calls([{}, write, { at: 2 }]).ran).to.deep.equal(['0 look', '1 write', '2 look']);
    expect(calls([{}, { ...write, agent: 'b' }, { at: 2 }]).ran).to.have.length(3);
    expect(calls([{}, { ...write, sessionId: 't' }, { at: 2 }]).ran).to.have.length(2);
    expect(calls([{}, write, { at: 2 }], { forgetAfter: [] }).ran).to.have.length(2);
  });

  it('stores nothing that was read during a write', () => {
    const slowAt = (slow: number) => (run: number) => (run === slow ? of('old').pipe(delay(10)) : 'new');
    const writing = { at: 5, tool: 'write' };
    const before = calls([{}, writing, { at: 20 }], {}, { execute: slowAt(1) });
    expect(before.ran).to.deep.equal(['0 look', '5 write', '20 look']);
    const meanwhile = calls([writing, { at: 10 }, { at: 20 }], {}, { execute: slowAt(1) });
    expect(meanwhile.ran).to.deep.equal(['5 write', '10 look', '20 look']);
  });

  it('runs one of several concurrent calls and gives its result to all', () => {
    const slow = (run: number) => of(`answer ${run}`).pipe(delay(10));
    const { ran, got } = calls([{}, {}, { at: 5 }], {}, { execute: slow });
    expect(ran).to.deep.equal(['0 look']);
    expect(got).to.deep.equal(['10 answer 1', '10 answer 1', '10 answer 1']);
  });

  it('runs the next of several concurrent calls if the first fails or is cancelled', () => {
    const fails = timer(10).pipe(mergeMap(() => throwError(() => new Error('no'))));
    const flaky = (run: number) => (run === 1 ? fails : of('good').pipe(delay(10)));
    const failed = calls([{}, {}, {}], {}, { execute: flaky });
    expect(failed.ran).to.deep.equal(['0 look', '10 look']);
    expect(failed.got).to.deep.equal(['10 Tool "look" failed: no', '20 good', '20 good']);
    const slow = (run: number) => of(`answer ${run}`).pipe(delay(10));
    const left = calls([{ until: 4 }, {}, {}], {}, { execute: slow });
    expect(left.ran).to.deep.equal(['0 look', '4 look']);
    expect(left.got.slice(1)).to.deep.equal(['14 answer 2', '14 answer 2']);
  });

  it('stores no errors, nothing incomplete and nothing too long', () => {
    const twice = (result: object | string) =>
      calls([{}, { at: 1 }], { maxAnswerChars: 60 }, { execute: () => result }).ran;
    expect(twice({ content: 'no', isError: true })).to.have.length(2);
    expect(twice({ content: 'later', isError: false, async: true })).to.have.length(2);
    expect(twice({ content: 'x'.repeat(61), isError: false })).to.have.length(2);
    expect(twice('x'.repeat(61))).to.have.length(2);
    expect(twice({ content: 'yes', isError: false })).to.have.length(1);
  });

  it('replays streamed text and notes its age', () => {
    const { got, events } = calls([{}, { at: 2_000 }], {}, { execute: () => of('one ', 'two') });
    expect(got).to.deep.equal(['0 one two', '2000 one two']);
    const posts = events.filter((event) => event.type === 'postActing');
    expect(posts.map(({ notes = [] }) => notes.map(({ code, data }) => ({ code, data })))).to.deep.equal([
      [],
      [{ code: 'tool-cached', data: { ageMs: 2_000 } }],
    ]);
    const chunks = events.flatMap((event) =>
      event.type === 'actingChunk' && event.content !== '' ? [event.content] : [],
    );
    expect(chunks).to.deep.equal(['one ', 'two', 'one two']);
  });

  it('stores a copy that later changes by a tool do not affect', () => {
    const result = { content: 'first', isError: false };
    const spoil = defineHook({
      name: 'spoil',
      observe(event) {
        if (event.type === 'postActing') result.content = 'spoilt';
      },
    });
    const { got } = calls([{}, { at: 1 }], {}, { execute: () => of(result), more: [spoil] });
    expect(got).to.deep.equal(['0 first', '1 first']);
  });

  it('stores nothing of a call with a sealed value', () => {
    const sealing = defineHook({
      name: 'sealing',
      on: {
        preActing: (event, { seal }) =>
          ({ ...event, toolCall: { ...event.toolCall, input: { token: seal('token', 'assembled') } } }) as never,
      },
    });
    expect(calls([{}, { at: 1 }], {}, { more: [sealing] }).ran).to.have.length(2);
  });

  it('lets approvers judge each call', () => {
    let judged = 0;
    const once = defineHook({ name: 'once', approve: () => (++judged > 1 ? verdict.deny('no') : verdict.allow()) });
    expect(calls([{}, { at: 1 }], {}, { more: [once] }).got[1]).to.equal('1 The call was denied by hook "once": no');
  });

  it('keeps recently requested results up to the limit', () => {
    const list = [1, 2, 1, 3, 1, 2].map((n, at) => ({ at, input: { n } }));
    expect(calls(list, { maxAnswers: 2 }).ran).to.deep.equal(['0 look', '1 look', '3 look', '5 look']);
  });

  it('does not wait for a call that it is part of', async () => {
    const goDeeper = { toolCalls: [{ name: 'deep', input: { prompt: 'x' } }] };
    const deep = (...tools: ReturnType<typeof agentTool>[]) => {
      const agent = createAgent({ name: 'a', model: scriptedModel([goDeeper, 'in', 'in']), tools });
      return agentTool(agent, { description: 'goes deeper', name: 'deep', permission: 'read' });
    };
    const agent = createAgent({
      name: 'a',
      model: scriptedModel([goDeeper, 'done']),
      tools: [deep(deep())],
      pipeline: createPipeline([toolCache({ tools: ['deep'] })]),
    });
    const events = await lastValueFrom(agent.run('go', { userId: 'u' }).pipe(toArray()));
    expect(events.at(-1)).to.include({ outcome: 'completed' });
  });

  it('rejects invalid options', () => {
    expect(() => toolCache({ tools: [] }))
      .to.throw('must contain at least one tool')
      .with.property('code', 'OPTIONS_INVALID');
    expect(() => toolCache({ tools: ['x'], maxChars: 5, maxAnswerChars: 6 })).to.throw('must be at most maxChars');
    expect(() => toolCache({ tools: ['x'], forgetAfter: ['read'] })).to.throw('must not contain read');
  });

  it('keeps the hook contract', () => hookContract(toolCache({ tools: ['*'] })));
});
