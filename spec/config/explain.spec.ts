import { expect } from 'chai';
import { abort, defineHook, deny, modify, respond, verdict } from 'hookline';
import { explainCall } from 'hookline/config';
import { scriptedTool } from 'hookline/testing';
import { z } from 'zod';

const rewrite = defineHook({
  name: 'rewrite',
  priority: 20,
  on: {
    preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { ...event.toolCall.input, a: 2 } } }),
  },
});

describe('explainCall', () => {
  it('reports every hook in order, the deciding reason, and hooks that do not apply', async () => {
    const hooks = [
      defineHook({
        name: 'guard',
        priority: 10,
        approve: ({ toolCall }) => (toolCall.input['a'] === 2 ? verdict.deny('two is too many') : verdict.allow()),
      }),
      rewrite,
      defineHook({ name: 'other tool', match: { tools: ['y*'] }, approve: () => verdict.deny('never') }),
      defineHook({ name: 'other agent', match: { agents: ['z'] }, approve: () => verdict.deny('never') }),
      defineHook({ name: 'readers', match: { permissions: ['read'] }, approve: () => verdict.deny('never') }),
      defineHook({ name: 'watch', observe() {} }),
      defineHook({ name: 'after', on: { postActing: () => undefined }, around: { acting: (_, next) => next() } }),
      defineHook({ name: 'prompts', on: { preCall: () => undefined } }),
    ];
    const explained = await explainCall(hooks, { tool: 'x', input: { a: 1 } });
    expect(explained.decision).to.deep.equal({ action: 'deny', by: 'guard', reason: 'two is too many' });
    expect(explained.toolCall).to.deep.include({ name: 'x', input: { a: 2 } });
    expect(explained.steps.map(({ ms, ...step }) => step)).to.deep.equal([
      { hook: 'rewrite', priority: 20, stage: 'on', effect: 'changed', paths: ['toolCall.input.a'] },
      {
        hook: 'guard',
        priority: 10,
        stage: 'approve',
        effect: 'decided',
        decision: 'deny',
      },
    ]);
    expect(explained.steps.every(({ ms }) => typeof ms === 'number')).to.equal(true);
    expect(explained.later).to.deep.equal([
      { hook: 'watch', stages: ['observe'] },
      { hook: 'after', stages: ['around', 'postActing'] },
    ]);
    expect(explained.notApplied).to.deep.equal([
      { hook: 'other tool', why: 'applies to the tools y*' },
      { hook: 'other agent', why: 'applies to the agents z' },
      { hook: 'readers', why: 'applies to tools with the permission read' },
      { hook: 'watch', why: 'only observes' },
      { hook: 'after', why: 'applies when the call runs' },
      { hook: 'prompts', why: 'does not apply to tool calls' },
    ]);
  });

  for (const [action, hook] of [
    ['proceed', defineHook({ name: 'h', on: { preActing: () => undefined } })],
    ['deny', defineHook({ name: 'h', on: { preActing: (event) => deny(event, 'no') } })],
    ['abort', defineHook({ name: 'h', on: { preActing: (event) => abort(event, 'no') } })],
    ['respond', defineHook({ name: 'h', on: { preActing: (event) => respond(event, 'yes') } })],
    ['ask', defineHook({ name: 'h', approve: () => verdict.suspend('may I?') })],
  ] as const) {
    it(`reports ${action}`, async () => {
      const { decision } = await explainCall([hook], { tool: 'x' });
      expect(decision).to.deep.include(action === 'proceed' ? { action } : { action, by: 'h' });
    });
  }

  it('runs no tool, wrapper or later event, and passes dryRun to approvers', async () => {
    const ran: string[] = [];
    const hook = defineHook({
      name: 'h',
      approve: (_, { dryRun }) => {
        ran.push(`approve ${dryRun}`);
        return verdict.allow();
      },
      around: {
        acting(_, next) {
          ran.push('around');
          return next();
        },
      },
      on: { postActing: () => void ran.push('postActing') },
    });
    const tool = scriptedTool({ name: 'x', result: 'done' });
    await explainCall([hook], { tool: 'x', tools: [tool] });
    expect(ran).to.deep.equal(['approve true']);
    expect(tool.calls).to.deep.equal([]);
  });

  it('uses permission and input schema of the tool, or the given permission', async () => {
    const tool = scriptedTool({ name: 'x', permission: 'read', inputSchema: z.object({ n: z.coerce.number() }) });
    const seen: unknown[] = [];
    const hook = defineHook({
      name: 'h',
      approve: ({ toolCall, permission }) => {
        seen.push([toolCall.input, permission]);
        return verdict.allow();
      },
    });
    await explainCall([hook], { tool: 'x', input: { n: '5' }, tools: [tool] });
    await explainCall([hook], { tool: 'x', input: { n: '5' }, tools: [tool], permission: 'write' });
    expect(seen).to.deep.equal([
      [{ n: 5 }, 'read'],
      [{ n: 5 }, 'write'],
    ]);
    const { decision } = await explainCall([hook], { tool: 'x', input: { n: 'five' }, tools: [tool] });
    expect(decision.action).to.equal('fail');
    expect(decision.reason).to.include('n');
  });

  it('reports a failed hook as a denial', async () => {
    const hook = defineHook({
      name: 'h',
      on: {
        preActing: () => {
          throw new Error('broken');
        },
      },
    });
    const { decision } = await explainCall([hook], { tool: 'x' });
    expect(decision.action).to.equal('deny');
    expect(decision.reason).to.include('h');
  });

  it('applies the given owner, session and iteration to the call', async () => {
    const seen: unknown[] = [];
    const hook = defineHook({
      name: 'rule',
      approve: ({ run, iteration }) => {
        seen.push([run.userId, run.sessionId, iteration]);
        return run.userId === 'mallory' ? verdict.deny('not for you') : verdict.allow();
      },
    });
    const asked = { tool: 'x', user: 'mallory', session: 's', iteration: 3 };
    expect((await explainCall([hook], asked)).decision).to.include({ action: 'deny', by: 'rule' });
    expect((await explainCall([hook], { ...asked, user: 'alice' })).decision).to.deep.equal({ action: 'proceed' });
    expect(seen).to.deep.equal([
      ['mallory', 's', 3],
      ['alice', 's', 3],
    ]);
  });

  it('fails for an unknown tool, unless its permission is given', async () => {
    const tools = [scriptedTool({ name: 'read_file' })];
    const { decision } = await explainCall([], { tool: 'raed_file', tools });
    expect(decision.action).to.equal('fail');
    expect(decision.reason).to.include('raed_file').and.include('read_file');
    const elsewhere = await explainCall([], { tool: 'raed_file', tools, permission: 'write' });
    expect(elsewhere.decision).to.deep.equal({ action: 'proceed' });
    const bringer = defineHook({ name: 'bringer', tools: [scriptedTool({ name: 'own' })] });
    expect((await explainCall([bringer], { tool: 'own', tools })).decision.action).to.equal('proceed');
  });
});
