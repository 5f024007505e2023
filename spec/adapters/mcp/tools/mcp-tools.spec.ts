import { expect } from 'chai';
import { type McpClient, mcpTools } from '../../../../lib/adapters/mcp/index.ts';
import { knownFields } from '../../../../lib/adapters/mcp/tools/mcp-client.ts';
import { createAgent, createPipeline } from '../../../../lib/index.ts';
import { silentLogger } from '../../../../lib/pipeline/logger.ts';
import { recorder, scriptedModel } from '../../../../lib/testing/index.ts';
import { rejection } from '../../../tools/rejection.ts';

const tool = (name: string, inputSchema: object = { type: 'object' }) => ({ name, inputSchema });

/** A client of a server that lists the result of `list`. */
function clientOf(list: () => object[] | Promise<object[]>) {
  const called: unknown[] = [];
  const client = {
    listTools: async () => ({ tools: await list() }),
    callTool: async (request: unknown) => {
      called.push(request);
      return { content: [{ type: 'text', text: 'ran' }] };
    },
    setNotificationHandler() {},
  };
  return { client: client as unknown as McpClient, called };
}

describe('mcpTools', () => {
  it('distinguishes tools whose names collide for a model, deterministically', async () => {
    const names = async (...of: string[]) =>
      (await mcpTools(clientOf(() => of.map((name) => tool(name))).client)).tools.map(({ name }) => name);
    const [slash = '', underscore] = await names('a/b', 'a_b');
    expect([underscore, /^a_b_[0-9a-f]{8}$/.test(slash)]).to.deep.equal(['a_b', true]);
    expect(await names('a_b', 'a/b')).to.deep.equal(['a_b', slash]);
    expect(new Set(await names('日本', '中国')).size).to.equal(2);
    expect(await names('a/b')).to.deep.equal(['a_b']);
  });

  it('uses only the known methods of a client and rejects unknown options', async () => {
    const { client } = clientOf(() => [tool('a'), tool('b')]);
    const named = { ...client, getServerVersion: () => ({ name: 'theirs' }) };
    const read = new Set<string>();
    const watched = new Proxy(named, { get: (target, name) => read.add(String(name)) && Reflect.get(target, name) });
    const { tools } = await mcpTools(watched, { taken: ['a'] });
    const model = scriptedModel([{ toolCalls: [{ id: '1', name: 'b', input: {} }] }, 'done']);
    await createAgent({ name: 'a', model, tools, pipeline: createPipeline([]) }).call('go');
    const { hooked, passed } = knownFields['a client'];
    expect([...read].sort()).to.deep.equal([...hooked, ...passed].sort());
    for (const [name, value] of Object.entries({ model, tools, onCall: () => {} }))
      expect((await rejection(mcpTools(client, { [name]: value } as never))).message).to.include(`"${name}"`);
  });

  it('keeps the newest list, whichever arrives last', async () => {
    const waiting: ((tools: object[]) => void)[] = [];
    const later = () => new Promise<object[]>((resolve) => waiting.push(resolve));
    const first = mcpTools(clientOf(later).client);
    waiting.shift()?.([tool('old')]);
    const live = await first;
    const [older, newer] = [live.refresh(), live.refresh()];
    waiting[1]?.([tool('new')]);
    await newer;
    waiting[0]?.([tool('stale')]);
    await older;
    expect(live.tools.map(({ name }) => name)).to.deep.equal(['new']);
  });

  it('leaves the patterns of a schema to the server, because some never terminate', async () => {
    const pattern = { type: 'string', pattern: '^(a+)+$' };
    const schema = { type: 'object', properties: { text: pattern, n: { type: 'number' } }, required: ['text'] };
    const { client, called } = clientOf(() => [tool('match', schema)]);
    const { tools } = await mcpTools(client, { log: silentLogger });
    expect(tools[0]?.jsonSchema ?? tools[0]?.inputSchema).to.deep.equal(schema);
    const recorded = recorder();
    const calls = [
      { id: '1', name: 'match', input: { text: `${'a'.repeat(40)}!` } },
      { id: '2', name: 'match', input: { text: 'a', n: 'x' } },
    ];
    const model = scriptedModel([{ toolCalls: calls }, 'done']);
    await createAgent({ name: 'a', model, tools, pipeline: createPipeline([recorded]) }).call('go');
    expect(called).to.deep.equal([{ name: 'match', arguments: calls[0]?.input }]);
    expect(recorded.of('postActing').map(({ outcome }) => outcome)).to.deep.equal(['executed', 'failed']);
  });

  it('keeps schema fields that are merely named pattern', async () => {
    const data = { pattern: 'x', patternProperties: 'y' };
    const properties = {
      pattern: { type: 'number' },
      patternProperties: { type: 'object', default: data, examples: [data] },
    };
    const $defs = { pattern: { type: 'string' } };
    const schema = { type: 'object', properties, required: ['pattern'], additionalProperties: false, $defs };
    const { client } = clientOf(() => [tool('grep', schema)]);
    const { tools } = await mcpTools(client, { log: silentLogger });
    expect(tools[0]?.inputSchema).to.deep.equal(schema);
  });

  it('leaves a whole schema to the server if removing patterns could change its meaning', async () => {
    const [a, b] = [
      { type: 'string', pattern: '^a' },
      { type: 'string', pattern: '^b' },
    ];
    const named = { $defs: { a, b } };
    const refs = [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }];
    const kind = (id: object, of: string) => ({
      type: 'object',
      properties: { id, mode: { type: 'string', default: of } },
      required: ['id'],
    });
    for (const [given, inner, more] of [
      ['bc', { oneOf: [a, b] }, {}],
      ['bc', { oneOf: refs }, named],
      ['bc', { type: 'string', not: { pattern: '^a' } }, {}],
      [
        'bc',
        { oneOf: refs.map(({ $ref }) => ({ $ref: $ref.replace('$defs', 'definitions') })) },
        { definitions: { a, b } },
      ],
      [['a', 'b'], { type: 'array', items: { type: 'string' }, contains: refs[0], maxContains: 1 }, named],
      [{ id: 'b1' }, { anyOf: [kind(a, 'A'), kind(b, 'B')] }, {}],
      [{ a: 1 }, { type: 'object', patternProperties: { '^a': { type: 'number' } }, additionalProperties: false }, {}],
    ] as const) {
      const schema = { type: 'object', properties: { a: inner }, required: ['a'], ...more };
      const { client, called } = clientOf(() => [tool('match', schema)]);
      const { tools } = await mcpTools(client, { log: silentLogger });
      const model = scriptedModel([{ toolCalls: [{ id: '1', name: 'match', input: { a: given } as never }] }, 'done']);
      await createAgent({ name: 'a', model, tools }).call('go');
      expect(called, JSON.stringify(schema)).to.deep.equal([{ name: 'match', arguments: { a: given } }]);
    }
  });
});
