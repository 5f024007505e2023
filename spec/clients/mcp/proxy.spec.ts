import { join } from 'node:path';
import { expect } from 'chai';
import { isBuilt } from '../../is-built.ts';
import { connected, nameOf, pairs, serverCommand } from './connected.ts';

const SECRET = `hunter${2}-hunter`;
const root = join(__dirname, '../../..');
const proxyOf = join(__dirname, 'proxy-of.cjs');
/** The built package starts in a third of the time. */
const PROXY = isBuilt()
  ? [process.execPath, proxyOf, join(root, 'dist')]
  : [process.execPath, '-C', 'hookline:source', '-r', 'ts-node/register', proxyOf, join(root, 'lib')];
const asks = (message: string[], approve: boolean) => async (request: { params: { message: string } }) => {
  message.push(request.params.message);
  return { action: 'accept' as const, content: { approve } };
};
// biome-ignore lint/suspicious/noExplicitAny: the clients have no type in common.
type Any = any;

for (const pair of pairs) {
  describe(`the MCP proxy between ${nameOf(pair)}`, () => {
    const open: { close(): Promise<void> }[] = [];
    afterEach(async () => {
      for (const one of open.splice(0)) await one.close();
    });
    const through = async (hooks: string, capabilities: object = {}) => {
      const command = [...PROXY, hooks, ...serverCommand(pair.server)];
      const { client, errors } = await connected(pair, command, { env: { SECRET }, capabilities });
      open.push(client);
      const call = (name: string, input: object = {}, options: object = {}): Promise<Any> =>
        pair.client === 'v2'
          ? (client as Any).callTool({ name, arguments: input }, options)
          : (client as Any).callTool({ name, arguments: input }, undefined, options);
      return { client, errors, call };
    };

    it("returns the server's data if hooks leave it alone", async () => {
      const one = await through('none');
      const { client: plain } = await connected(pair, serverCommand(pair.server), { env: { SECRET } });
      open.push(plain);
      const straight = { listTools: () => plain.listTools(), server: plain.getServerVersion() };
      expect(await one.client.listTools()).to.deep.equal(await straight.listTools());
      expect(one.client.getServerVersion()).to.deep.equal(straight.server);
      for (const [name, input] of [
        ['add', { a: 1, b: 2 }],
        ['picture', {}],
        ['fail', {}],
        ['look', {}],
      ] as const)
        expect(await one.call(name, input), name).to.deep.equal(
          await (plain as Any).callTool({ name, arguments: input }),
        );
    });

    it('redacts texts, structures and progress', async () => {
      const one = await through('redact');
      await one.client.listTools();
      const { content, structuredContent } = await one.call('add', { a: 1, b: 2 });
      expect([JSON.parse(content[0].text), structuredContent]).to.deep.equal([
        { sum: 3, note: '***' },
        { sum: 3, note: '***' },
      ]);
      const told: string[] = [];
      await one.call('count', { to: 3 }, { onprogress: ({ message }: Any) => told.push(message) });
      expect(told).to.deep.equal(['step 1 ***', 'step 2 ***', 'step 3 ***']);
    });

    it('denies with a result', async () => {
      const one = await through('deny');
      expect((await one.call('look')).isError).to.equal(true);
    });

    for (const approve of [true, false]) {
      it(`prompts the user, who answers ${approve ? 'yes' : 'no'}`, async () => {
        const one = await through('ask', { elicitation: { form: {} } });
        const messages: string[] = [];
        const { ElicitRequestSchema } = await import('@modelcontextprotocol/sdk/types.js');
        (one.client as Any).setRequestHandler(
          pair.client === 'v2' ? 'elicitation/create' : ElicitRequestSchema,
          asks(messages, approve),
        );
        expect((await one.call('look')).isError ?? false).to.equal(!approve);
        expect(messages).to.deep.equal(['May it?\n\nlook\n{}']);
      });
    }

    it('denies if the client cannot be asked', async () => {
      const one = await through('ask');
      expect((await one.call('look')).content[0].text).to.contain('the client does not support forms');
    });

    it('cancels at the server', async () => {
      const one = await through('none');
      const stop = new AbortController();
      const running = one.call('slow', {}, { signal: stop.signal }).catch(() => {});
      while (!one.errors.join('').includes('started')) await new Promise((resolve) => setTimeout(resolve, 5));
      stop.abort();
      await running;
      while (!one.errors.join('').includes('aborted')) await new Promise((resolve) => setTimeout(resolve, 5));
    });
  });
}
