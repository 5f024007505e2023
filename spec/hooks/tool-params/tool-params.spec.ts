import { expect } from 'chai';
import { firstValueFrom, toArray } from 'rxjs';
import { z } from 'zod';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import { type ToolParamsOptions, toolParams } from '../../../lib/hooks/tool-params/tool-params.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import { verdict } from '../../../lib/pipeline/define/hook.ts';
import { defineTool } from '../../../lib/pipeline/define/tool.ts';
import { hookContract } from '../../../lib/testing/hook-contract.ts';
import { scriptedModel } from '../../../lib/testing/scripts/scripted-model.ts';

const SECRET = ['tok', '4f9a'].join('_');

async function run(params: ToolParamsOptions['params'], input: object, userId?: string) {
  const got: unknown[] = [];
  const judged: unknown[] = [];
  const mail = defineTool({
    name: 'mail',
    description: 'Mails.',
    inputSchema: z.object({
      to: z.string(),
      user: z.string().optional(),
      token: z.string().startsWith('tok_').optional(),
    }),
    execute: (given) => {
      got.push(given);
      return 'sent';
    },
  });
  const witness = defineHook({
    name: 'witness',
    approve: ({ toolCall }) => {
      judged.push(toolCall.input);
      return verdict.allow();
    },
  });
  const model = scriptedModel([{ toolCalls: [{ name: 'mail', input: input as never }] }, 'Done.', 'Again.']);
  const pipeline = createPipeline([toolParams({ params }), witness]);
  const agent = createAgent({ name: 'a', model, tools: [mail], pipeline });
  const who = { sessionId: 's', ...(userId !== undefined && { userId }) };
  const events = await firstValueFrom(agent.run('go', who).pipe(toArray()));
  await agent.call('and?', who);
  const post = events.find((event) => event.type === 'postActing');
  return { got, judged, events, post, requests: model.requests };
}

describe('toolParams', () => {
  it("adds fields to the model's input, visible to neither model nor transcript", async () => {
    const { got, requests } = await run(
      [{ tools: ['ma*'], fromRun: { user: 'userId' } }],
      { to: 'x', user: 'root' },
      'ann',
    );
    expect(got).to.deep.equal([{ to: 'x', user: 'ann' }]);
    expect(Object.keys(requests[0]?.tools[0]?.inputSchema['properties'] ?? {})).to.deep.equal(['to', 'token']);
    expect(JSON.stringify(requests.at(-1)))
      .to.include('root')
      .and.not.include('ann');
  });

  it('seals credentials for the tool only', async () => {
    const seal = { token: { value: SECRET, label: 'mail token', decoy: 'tok_0' } };
    const { got, judged, events, requests } = await run([{ tools: ['mail'], seal }], { to: 'x' });
    expect(got).to.deep.equal([{ to: 'x', token: SECRET }]);
    expect(JSON.stringify(judged)).to.include('mail token');
    expect(JSON.stringify([judged, events, requests])).to.not.include(SECRET);
  });

  it('denies a call if the run lacks a value to add', async () => {
    const { got, post } = await run([{ tools: ['mail'], fromRun: { user: 'userId' } }], { to: 'x' });
    expect(got).to.deep.equal([]);
    expect(post).to.include({ outcome: 'denied' });
  });

  it('leaves other tools alone and gives later entries precedence', async () => {
    const { got, requests } = await run([{ tools: ['other'], add: { to: 'z' } }], { to: 'x' });
    expect(got).to.deep.equal([{ to: 'x' }]);
    expect(Object.keys(requests[0]?.tools[0]?.inputSchema['properties'] ?? {})).to.include('to');
    const both = await run(
      [
        { tools: ['*'], add: { user: 'a', to: 'b' } },
        { tools: ['mail'], add: { user: 'c' } },
      ],
      { to: 'x' },
    );
    expect(both.got).to.deep.equal([{ to: 'b', user: 'c' }]);
    expect(both.requests[0]?.tools[0]?.inputSchema).to.not.have.property('required');
  });

  it('rejects invalid options', () => {
    for (const [params, told] of [
      [[], /params: must contain at least one entry/],
      [[{ tools: ['x'] }], /params\.0: must contain add, seal or fromRun/],
      [[{ tools: ['x'], fromRun: { a: 'user' } }], /params\.0\.fromRun\.a/],
    ] as const)
      expect(() => toolParams({ params } as never))
        .to.throw(told)
        .with.property('code', 'OPTIONS_INVALID');
  });

  it('keeps the hook contract', () => hookContract(toolParams({ params: [{ tools: ['*'], add: { extra: 1 } }] })));
});
