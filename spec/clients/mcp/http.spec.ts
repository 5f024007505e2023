import { expect } from 'chai';
import { createMcpProxy, type McpClient, type McpListening, mcpTools } from '../../../lib/adapters/mcp/index.ts';
import { createPipeline, defineHook, type HookDefinition, modify, verdict } from '../../../lib/index.ts';
import { silentLogger } from '../../../lib/pipeline/logger.ts';
import { recorder } from '../../../lib/testing/index.ts';
import { connectedTo, nameOf, type Pair, pairs, serverOverHttp } from './connected.ts';

const SECRET = `hunter${2}-hunter`;
const clean = (text: string) => text.replaceAll(SECRET, '***');
const redacting: HookDefinition = {
  name: 'redact',
  redact: clean,
  on: {
    postActing: (event) => modify(event, { result: { ...event.result, content: clean(event.result.content) } }),
    actingChunk: (event) => modify(event, { content: clean(event.content) }),
  },
};
// biome-ignore lint/suspicious/noExplicitAny: the clients have no type in common.
type Any = any;
const until = async (done: () => boolean) => {
  while (!done()) await new Promise((resolve) => setTimeout(resolve, 5));
};

for (const pair of pairs) {
  describe(`the MCP proxy over HTTP between ${nameOf(pair)}`, () => {
    const closing: (() => unknown)[] = [];
    let server: Awaited<ReturnType<typeof serverOverHttp>>;
    before(async () => {
      server = await serverOverHttp(pair.server, { SECRET });
    });
    after(() => server.child.kill());
    afterEach(async () => {
      for (const close of closing.splice(0).reverse()) await close();
    });
    const through = async (hooks: readonly HookDefinition[] = [], capabilities: object = {}) => {
      const recorded = recorder();
      const pipeline = createPipeline([...hooks.map((hook) => defineHook(hook)), recorded], { log: silentLogger });
      const proxy: McpListening = await createMcpProxy({ pipeline, log: silentLogger }).listen({ url: server.url });
      closing.push(() => proxy.close());
      return { ...(await clientOf(pair, proxy.url, capabilities)), proxy, recorded };
    };
    const clientOf = async (of: Pair, url: string, capabilities: object = {}) => {
      const { client, transport } = await connectedTo(of, url, { capabilities });
      closing.push(() => client.close());
      const call = (name: string, input: object = {}, options: object = {}): Promise<Any> =>
        of.client === 'v2'
          ? (client as Any).callTool({ name, arguments: input }, options)
          : (client as Any).callTool({ name, arguments: input }, undefined, options);
      return { client, transport, call };
    };

    it("returns the server's data if hooks leave it alone", async () => {
      const one = await through();
      const plain = await clientOf(pair, server.url);
      expect(await one.client.listTools()).to.deep.equal(await plain.client.listTools());
      expect(one.client.getServerVersion()).to.deep.equal(plain.client.getServerVersion());
      for (const [name, input] of [
        ['add', { a: 1, b: 2 }],
        ['picture', {}],
        ['fail', {}],
        ['look', {}],
      ] as const)
        expect(await one.call(name, input), name).to.deep.equal(await plain.call(name, input));
    });

    it('runs calls as changed by hooks, and redacts texts, structures and progress', async () => {
      const more: HookDefinition = {
        name: 'more',
        on: {
          preActing: (e) =>
            e.toolCall.name === 'add' ? modify(e, { toolCall: { ...e.toolCall, input: { a: 5, b: 2 } } }) : e,
        },
      };
      const one = await through([redacting, more]);
      await one.client.listTools();
      expect((await one.call('add', { a: 1, b: 2 })).structuredContent).to.deep.equal({ sum: 7, note: '***' });
      const told: string[] = [];
      await one.call('count', { to: 3 }, { onprogress: ({ message }: Any) => told.push(message) });
      expect(told).to.deep.equal(['step 1 ***', 'step 2 ***', 'step 3 ***']);
    });

    it('prompts the user in the answer to the call, and fails closed if it cannot', async () => {
      const asks: HookDefinition = { name: 'ask', approve: () => verdict.suspend('May it?') };
      const { ElicitRequestSchema } = await import('@modelcontextprotocol/sdk/types.js');
      for (const approve of [true, false]) {
        const one = await through([asks], { elicitation: { form: {} } });
        (one.client as Any).setRequestHandler(
          pair.client === 'v2' ? 'elicitation/create' : ElicitRequestSchema,
          async () => ({ action: 'accept', content: { approve } }),
        );
        expect((await one.call('look')).isError ?? false).to.equal(!approve);
      }
      const dumb = await through([asks]);
      expect((await dumb.call('look')).content[0].text).to.contain('the client does not support forms');
    });

    it('cancels at the server, and ends the session there with the client', async () => {
      const one = await through();
      const stop = new AbortController();
      const seen = server.errors.length;
      const said = () => server.errors.slice(seen).join('');
      const running = one.call('slow', {}, { signal: stop.signal }).catch(() => {});
      await until(() => said().includes('started'));
      stop.abort();
      await running;
      await until(() => said().includes('aborted'));
      await (one.transport as Any).terminateSession();
      await one.client.close();
      await until(() => one.recorded.of('postCall').length > 0);
      if (!pair.modern) await until(() => said().includes('closed'));
      expect(one.recorded.of('postActing').map(({ outcome }) => outcome)).to.deep.equal(['cancelled']);
    });

    if (!pair.modern) {
      it('forwards unsolicited server messages', async () => {
        const one = await through();
        const live = await mcpTools(one.client as McpClient);
        await one.call('grow');
        await until(() => live.tools.some(({ name }) => name === 'grown'));
      });
    }
  });
}
