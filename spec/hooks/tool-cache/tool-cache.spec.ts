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
  it('answers a repeated call with what the tool gave before, as long as that counts', () => {
    const { ran, got } = calls([{}, { at: 10 }, { at: 1_009 }, { at: 1_010 }], { ttlMs: 1_010 });
    expect(ran).to.deep.equal(['0 look', '1010 look']);
    expect(got).to.deep.equal(['0 answer 1', '10 answer 1', '1009 answer 1', '1010 answer 2']);
  });

  it('knows a call by tool and input, in whatever order its members stand, and by agent and user', () => {
    const same: Call[] = [{ input: { a: 1, b: [{ c: 1, d: 2 }] } }, { at: 1, input: { b: [{ d: 2, c: 1 }], a: 1 } }];
    expect(calls(same).ran).to.have.length(1);
    for (const other of [{ input: { a: 2 } }, { agent: 'b' }, { userId: 'u' }, { sessionId: 't' }] as Call[])
      expect(calls([{}, { at: 1, ...other }]).ran, JSON.stringify(other)).to.have.length(2);
  });

  it('crosses sessions only with a user, and agents and users only where it is told to', () => {
    const user = { userId: 'u' };
    expect(calls([user, { at: 1, ...user, sessionId: 't' }]).ran).to.have.length(1);
    expect(calls([user, { at: 1, ...user, sessionId: 't' }], { per: ['user', 'session'] }).ran).to.have.length(2);
    expect(calls([user, { at: 1, ...user, agent: 'b' }], { per: ['user'] }).ran).to.have.length(1);
    expect(calls([user, { at: 1, userId: 'v', sessionId: 't', agent: 'b' }], { per: [] }).ran).to.have.length(1);
  });

  it('keeps no answers of tools that are external or write, and of those that it is not told of', () => {
    expect(calls([{ tool: 'fetch' }, { at: 1, tool: 'fetch' }]).ran).to.have.length(2);
    expect(calls([{}, { at: 1 }], { tools: ['other'] }).ran).to.have.length(2);
  });

  it('forgets the answers of somebody who writes, whichever of his agents it is, and of nobody else', () => {
    const write = { at: 1, tool: 'write' };
    expect(calls([{}, write, { at: 2 }]).ran).to.deep.equal(['0 look', '1 write', '2 look']);
    expect(calls([{}, { ...write, agent: 'b' }, { at: 2 }]).ran).to.have.length(3);
    expect(calls([{}, { ...write, sessionId: 't' }, { at: 2 }]).ran).to.have.length(2);
    expect(calls([{}, write, { at: 2 }], { forgetAfter: [] }).ran).to.have.length(2);
  });

  it('keeps nothing that was read while somebody wrote', () => {
    const slowAt = (slow: number) => (run: number) => (run === slow ? of('old').pipe(delay(10)) : 'new');
    const writing = { at: 5, tool: 'write' };
    const before = calls([{}, writing, { at: 20 }], {}, { execute: slowAt(1) });
    expect(before.ran).to.deep.equal(['0 look', '5 write', '20 look']);
    const meanwhile = calls([writing, { at: 10 }, { at: 20 }], {}, { execute: slowAt(1) });
    expect(meanwhile.ran).to.deep.equal(['5 write', '10 look', '20 look']);
  });

  it('runs one of several calls at once, and gives its answer to all', () => {
    const slow = (run: number) => of(`answer ${run}`).pipe(delay(10));
    const { ran, got } = calls([{}, {}, { at: 5 }], {}, { execute: slow });
    expect(ran).to.deep.equal(['0 look']);
    expect(got).to.deep.equal(['10 answer 1', '10 answer 1', '10 answer 1']);
  });

  it('runs the next of several calls at once where the first one fails or goes away', () => {
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

  it('keeps no errors, nothing that goes on, and nothing overlong', () => {
    const twice = (result: object | string) =>
      calls([{}, { at: 1 }], { maxAnswerChars: 60 }, { execute: () => result }).ran;
    expect(twice({ content: 'no', isError: true })).to.have.length(2);
    expect(twice({ content: 'later', isError: false, async: true })).to.have.length(2);
    expect(twice({ content: 'x'.repeat(61), isError: false })).to.have.length(2);
    expect(twice('x'.repeat(61))).to.have.length(2);
    expect(twice({ content: 'yes', isError: false })).to.have.length(1);
  });

  it('gives streamed text again, and says in a note how old it is', () => {
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

  it('keeps a copy: what a tool does to its result afterwards changes nothing', () => {
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

  it('keeps nothing of a call with a sealed value', () => {
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

  it('keeps as many answers as it may, and those that were asked for last', () => {
    const list = [1, 2, 1, 3, 1, 2].map((n, at) => ({ at, input: { n } }));
    expect(calls(list, { maxAnswers: 2 }).ran).to.deep.equal(['0 look', '1 look', '3 look', '5 look']);
  });

  it('does not wait for a call that it works for', async () => {
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

  it('names what is wrong with its options', () => {
    expect(() => toolCache({ tools: [] }))
      .to.throw('must contain at least one tool')
      .with.property('code', 'OPTIONS_INVALID');
    expect(() => toolCache({ tools: ['x'], maxChars: 5, maxAnswerChars: 6 })).to.throw('must be at most maxChars');
    expect(() => toolCache({ tools: ['x'], forgetAfter: ['read'] })).to.throw('must not contain read');
  });

  it('keeps the contract of hooks', () => hookContract(toolCache({ tools: ['*'] })));
});
