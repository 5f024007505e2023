import { expect } from 'chai';
import { createAgent, defineHook, type HookEvent, verdict } from 'hookline';
import { createLiveHooks, type LiveHooks } from 'hookline/config';
import { builtIns, createCatalogue, defineCatalogueEntry } from 'hookline/hooks';
import { scriptedModel, scriptedTool } from 'hookline/testing';
import { z } from 'zod';
import { written } from './read.ts';

/** Runs one agent whose tools end in every way, with a hook that records its events. */
async function historyIn(phase: string, kind: 'on' | 'observe'): Promise<string[]> {
  const told: string[] = [];
  const tell = (event: HookEvent): void => {
    const call = 'toolCall' in event && event.toolCall ? event.toolCall.name : '';
    told.push([event.type, call, 'outcome' in event ? event.outcome : ''].filter(Boolean).join(' '));
  };
  const teller = defineCatalogueEntry({
    name: 'teller',
    description: 'Tells what it is given.',
    events: ['preActing', 'postActing'],
    optionsSchema: z.strictObject({}),
    create: () => defineHook(kind === 'on' ? { name: 't', on: tell } : { name: 't', observe: tell }),
  });
  const guard = defineHook({
    name: 'guard',
    approve: ({ toolCall }) => (toolCall.name === 'no' ? verdict.deny('no') : verdict.allow()),
  });
  const file = written({ 'c.json': { hooks: { [phase]: { handlers: [{ type: 'teller', filter: null }] } } } })(
    'c.json',
  );
  const live: LiveHooks = await createLiveHooks({
    files: [file],
    catalogue: createCatalogue([...builtIns, teller]),
    hooks: [guard],
  });
  const { pipeline, release } = await live.lease();
  const tools = ['yes', 'no', 'broken'].map((name) =>
    name === 'broken' ? scriptedTool({ name, error: { message: 'broke' } }) : scriptedTool({ name, result: 'done' }),
  );
  const toolCalls = tools.map(({ name }) => ({ id: name, name, input: {} }));
  const model = scriptedModel([{ toolCalls }, { text: 'end' }]);
  await createAgent({ name: 'a', model, tools, pipeline, toolConcurrency: 1 }).call('go');
  await pipeline.flush();
  release();
  await live.close();
  return told;
}

const expected: Record<string, readonly string[]> = {
  pre_tool_use: ['preActing yes', 'preActing no', 'preActing broken'],
  post_tool_use: ['postActing yes executed'],
  tool_error: ['error broken', 'postActing broken failed'],
  tool_skip: ['postActing no denied'],
};

describe('a hook with a phase of tool calls', () => {
  for (const [phase, events] of Object.entries(expected)) {
    for (const kind of ['on', 'observe'] as const) {
      it(`${phase}: receives as ${kind} only events of its phase`, async () => {
        const told = (await historyIn(phase, kind)).filter((one) => !one.startsWith('actingChunk'));
        expect(told).to.deep.equal(events);
      });
    }
  }

  it('without a handler in its phase is an issue', async () => {
    const file = written({ 'c.json': { hooks: { tool_error: { handlers: [{ type: 'dangerous_confirmation' }] } } } })(
      'c.json',
    );
    const refused = await createLiveHooks({ files: [file] }).catch((error: Error) => error);
    expect(refused)
      .to.be.an('error')
      .with.property('message')
      .that.matches(/handlers\[0\]: .*has no effect in the phase tool_error/);
  });
});
