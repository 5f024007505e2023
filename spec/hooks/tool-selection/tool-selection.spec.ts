import { expect } from 'chai';
import { NEVER, of } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import { modify } from '../../../lib/events/decisions/modify.ts';
import { textOf } from '../../../lib/events/parts/messages.ts';
import type { HookHost } from '../../../lib/hooks/hook-host.ts';
import { toolSelection } from '../../../lib/hooks/tool-selection/tool-selection.ts';
import type { ToolSelectionOptions } from '../../../lib/hooks/tool-selection/tool-selection-options.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import { HookPriority } from '../../../lib/pipeline/define/hook.ts';
import type { Model, ModelChunk } from '../../../lib/pipeline/define/model.ts';
import { hookContract } from '../../../lib/testing/hook-contract.ts';
import { scriptedModel } from '../../../lib/testing/scripts/scripted-model.ts';
import { scriptedTool } from '../../../lib/testing/scripts/scripted-tool.ts';

const tools = [
  scriptedTool({ name: 'write_file', permission: 'write', result: 'written' }),
  scriptedTool({ name: 'read_file', permission: 'read', result: 'read' }),
  scriptedTool({ name: 'search', permission: 'read', result: 'found' }),
  scriptedTool({ name: 'mail', permission: 'external', result: 'sent' }),
];

/** The tools offered per model request, and the outcomes of the calls. */
async function run(
  options: ToolSelectionOptions,
  turns: Parameters<typeof scriptedModel>[0] = ['ok'],
  name = 'a',
  host: HookHost = {},
) {
  const model = scriptedModel(turns);
  const lines: string[] = [];
  const warn = (_: object, message?: string) => lines.push(message ?? '');
  const log = { debug() {}, info() {}, warn, error() {} };
  const pipeline = createPipeline([toolSelection(options, host)], { log: log as never });
  const agent = createAgent({ name, model, tools, pipeline });
  const results: string[] = [];
  pipeline.events$.subscribe((event) => {
    if (event.type === 'postActing') results.push(event.result.content);
  });
  await agent.call('go', { sessionId: 's' });
  const offered = () => model.requests.map((request) => request.tools.map((tool) => tool.name).join(' '));
  return { agent, offered, results, lines };
}

/** A model that picks tools, and its requests. */
function picker(...answers: string[]): Model & { asked: string[] } {
  const asked: string[] = [];
  const model: Model = ({ messages }) => {
    asked.push(messages.map(textOf).join('\n---\n'));
    return of<ModelChunk[]>(
      { type: 'text', delta: answers[asked.length - 1] ?? answers.at(-1) ?? '' },
      { type: 'finish', finishReason: 'stop' },
    );
  };
  return Object.assign(model, { asked });
}

describe('toolSelection', () => {
  it('offers tools that pass all rules for the agent by name and permission, in order', async () => {
    for (const [rules, offered] of [
      [[{ offer: ['read_*', 'mail'] }], 'read_file mail'],
      [[{ hide: ['*_file'] }], 'search mail'],
      [[{ permissions: ['read'] }], 'read_file search'],
      [[{ permissions: ['read', 'write'] }, { hide: ['search'] }], 'write_file read_file'],
      [[{ agents: ['b*'], offer: ['mail'] }], 'write_file read_file search mail'],
    ] as const)
      expect((await run({ rules: rules as never })).offered()).to.deep.equal([offered]);
    const other = await run({ rules: [{ agents: ['b*'], offer: ['mail'] }] }, ['ok'], 'bob');
    expect(other.offered()).to.deep.equal(['mail']);
    expect((await run({ order: 'name' })).offered()).to.deep.equal(['mail read_file search write_file']);
  });

  it('denies a call to a tool that is not offered, unless configured otherwise', async () => {
    const calling = {
      toolCalls: [
        { name: 'mail', input: {} },
        { name: 'search', input: {} },
      ],
    };
    const rules = [{ permissions: ['read' as const] }];
    const { results } = await run({ rules }, [calling, 'ok']);
    expect(results.sort()).to.deep.equal([
      'The call was denied by hook "tool-selection": The tool mail is not available.',
      'found',
    ]);
    expect((await run({ rules, enforce: false }, [calling, 'ok'])).results).to.include('sent');
  });

  it('denies no call to an offered tool, also if few remain to pick from', async () => {
    const fewer = defineHook({
      name: 'fewer',
      priority: HookPriority.SECURITY,
      on: {
        preReasoning: (event) =>
          event.iteration > 1 ? modify(event, { tools: event.tools.filter(({ name }) => name !== 'mail') }) : undefined,
      },
    });
    const results: string[] = [];
    const model = scriptedModel([
      { toolCalls: [{ name: 'mail', input: {} }] },
      { toolCalls: [{ name: 'read_file', input: {} }] },
      'ok',
    ]);
    const options = { pick: { model: 'small', max: 3 } };
    const selection = toolSelection(options, { models: { small: picker('["mail"]') } });
    const pipeline = createPipeline([fewer, selection]);
    pipeline.events$.subscribe((event) => {
      if (event.type === 'postActing') results.push(event.result.content);
    });
    await createAgent({ name: 'a', model, tools, pipeline }).call('go');
    expect(model.requests[1]?.tools.map(({ name }) => name)).to.deep.equal(['write_file', 'read_file', 'search']);
    expect(results).to.deep.equal(['sent', 'read']);
  });

  it('has a model select tools once for each user prompt, in addition to fixed tools', async () => {
    const model = picker('Sure: ["mail", "search"]', '["read_file"]');
    const host = { models: { small: model } };
    const calling = { toolCalls: [{ name: 'read_file', input: {} }] };
    const pick = { max: 2, model: 'small', always: ['write_*'] };
    const { agent, offered, results } = await run({ pick }, [calling, 'ok', 'ok'], 'a', host);
    expect(model.asked).to.have.lengthOf(1);
    expect(model.asked[0]).to.include('search: The scripted tool "search".').and.include('\n---\ngo');
    expect(model.asked[0]).to.not.include('write_file');
    expect(results[0]).to.include('The tool read_file is not available.');
    await agent.call('and now?', { sessionId: 's' });
    expect(offered()).to.deep.equal(['write_file search mail', 'write_file search mail', 'write_file read_file']);
  });

  it('asks no model if there are no more tools than the maximum', async () => {
    const model = picker('[]');
    const { offered } = await run({ pick: { max: 4, model: 'm' } }, ['ok'], 'a', { models: { m: model } });
    expect([model.asked.length, offered()[0]?.split(' ').length]).to.deep.equal([0, 4]);
  });

  it('offers all tools within the rules when the selection fails, and logs it', async () => {
    for (const answer of ['no idea', '["none", "such"]', '[1]', '']) {
      const rules = [{ hide: ['mail'] }];
      const found = await run({ rules, pick: { max: 1, model: 'm' } }, ['ok'], 'a', { models: { m: picker(answer) } });
      expect(found.offered(), answer).to.deep.equal(['write_file read_file search']);
      expect(found.lines.join()).to.match(
        /offering all tools, because the selection failed: (the model did not answer with a list|it picked tools that do not exist: none, such)/,
      );
    }
    const unknown = await run({ pick: { max: 1, model: 'none' } });
    expect(unknown.offered()[0]?.split(' ')).to.have.lengthOf(4);
    expect(unknown.lines.join()).to.include('there is no model "none"');
  });

  it('waits for a selection only until its timeout', () => {
    const scheduler = new TestScheduler(() => {});
    const told: string[] = [];
    scheduler.run(() => {
      const hook = toolSelection({ pick: { max: 1, model: 'm', timeoutMs: 300 } }, { models: { m: () => NEVER } });
      const log = { debug() {}, info() {}, warn() {}, error() {} };
      const agent = createAgent({
        name: 'a',
        model: scriptedModel(['ok']),
        tools,
        pipeline: createPipeline([hook], { scheduler, log }),
      });
      agent.run('go').subscribe((event) => {
        if (event.type === 'preReasoning') told.push(`${scheduler.now()} ${event.tools.length}`);
      });
    });
    expect(told).to.deep.equal(['300 4']);
  });

  it('rejects invalid options', () => {
    for (const [options, issue] of [
      [{}, /rules: requires rules, pick or order: name/],
      [{ rules: [{}] }, /rules\.0: must contain offer, hide or permissions/],
      [{ rules: [{ offer: [] }] }, /rules\.0\.offer/],
      [{ pick: {} }, /pick\.max/],
    ] as const)
      expect(() => toolSelection(options as never))
        .to.throw(issue)
        .with.property('code', 'OPTIONS_INVALID');
  });

  it('keeps the hook contract', () => hookContract(toolSelection({ rules: [{ offer: ['bash'] }], order: 'name' })));
});
