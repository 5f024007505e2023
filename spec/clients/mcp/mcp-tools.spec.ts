import { execFile as execFileCallback } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { type McpClient, mcpTools } from '../../../lib/adapters/mcp/index.ts';
import {
  createAgent,
  createPipeline,
  defineHook,
  type HookDefinition,
  modify,
  pendingCalls,
  verdict,
} from '../../../lib/index.ts';
import { silentLogger } from '../../../lib/pipeline/logger.ts';
import { recorder, scriptedModel } from '../../../lib/testing/index.ts';
import { connected, nameOf, pairs, serverCommand } from './connected.ts';

const execFile = promisify(execFileCallback);

const until = async (done: () => boolean): Promise<void> => {
  while (!done()) await new Promise((resolve) => setTimeout(resolve, 5));
};

/** Continues a run in another process with another server. Returns the results of its calls. */
async function resumeElsewhere(given: object): Promise<readonly string[]> {
  const words = ['-C', 'hookline:source', '-r', 'ts-node/register', join(__dirname, 'resume-elsewhere.ts')];
  const running = execFile(process.execPath, words);
  running.child.stdin?.end(JSON.stringify(given));
  return JSON.parse((await running).stdout);
}

for (const pair of pairs) {
  describe(`the tools of an MCP server, with ${nameOf(pair)}`, () => {
    let client: Awaited<ReturnType<typeof connected>>['client'];
    let errors: string[];
    before(async () => {
      const capabilities = { elicitation: { form: {} } };
      ({ client, errors } = await connected(pair, serverCommand(pair.server), { capabilities }));
    });
    after(() => client.close());
    const run = async (
      name: string,
      input: object = {},
      hooks: readonly HookDefinition[] = [],
      signal?: AbortSignal,
    ) => {
      const recorded = recorder();
      const { tools } = await mcpTools(client as McpClient, { log: silentLogger });
      const model = scriptedModel([{ toolCalls: [{ id: 'c1', name, input: input as never }] }, 'done']);
      const pipeline = createPipeline([...hooks.map((hook) => defineHook(hook)), recorded], { log: silentLogger });
      const agent = createAgent({ name: 'a', model, tools, pipeline });
      await agent.call('go', signal ? { signal } : {});
      const [post] = recorded.of('postActing');
      return { post, result: post?.result, recorded };
    };

    it('run with the changes of hooks', async () => {
      const twice: HookDefinition = {
        name: 'twice',
        on: { preActing: (e) => modify(e, { toolCall: { ...e.toolCall, input: { a: 2, b: 2 } } }) },
      };
      expect(JSON.parse((await run('add', { a: 1, b: 1 }, [twice])).result?.content ?? '').sum).to.equal(4);
      const denied = await run('look', {}, [{ name: 'no', approve: () => verdict.deny('no') }]);
      expect(denied.post?.outcome).to.equal('denied');
      expect((await run('add', { a: 'x', b: 1 })).result?.content).to.contain('is invalid');
    });

    it('return errors, images and progress', async () => {
      expect((await run('fail')).result).to.deep.equal({ content: 'it failed', isError: true });
      const media = [{ url: 'data:image/png;base64,AAAA', mediaType: 'image/png' }];
      expect((await run('picture')).result).to.deep.equal({ content: '', isError: false, media });
      const { recorded } = await run('count', { to: 3 });
      expect(recorded.of('actingChunk').map(({ content }) => content)).to.deep.equal([
        ...['step 1 nothing', 'step 2 nothing', 'step 3 nothing', ''],
      ]);
    });

    it('cancel a call at the server', async () => {
      const stop = new AbortController();
      const running = run('slow', {}, [], stop.signal);
      await until(() => errors.join('').includes('started'));
      stop.abort();
      await running;
      await until(() => errors.join('').includes('aborted'));
    });

    it("trust the server’s annotations only if configured, after the host's permissions", async () => {
      const permission = async (options: object) =>
        (await mcpTools(client as McpClient, options)).tools.find(({ name }) => name === 'look')?.permission;
      expect(await permission({})).to.equal('external');
      expect(await permission({ trustAnnotations: true })).to.equal('read');
      expect(await permission({ trustAnnotations: true, permissions: { look: 'write' } })).to.equal('write');
    });

    it('are prefixed by the server if a name is taken', async () => {
      const { tools } = await mcpTools(client as McpClient, { taken: ['look'] });
      expect(tools.map(({ name }) => name))
        .to.include.members(['small.look', 'add'])
        .and.not.include('look');
    });

    if (pair.modern) {
      it('suspend the run for a server request and continue with the answer, also in another process', async () => {
        const { tools } = await mcpTools(client as McpClient, { questions: 'suspend' });
        for (const [answer, said] of [
          [{ approved: true, content: { name: 'Ada' } }, 'hello Ada'],
          [{ approved: false }, 'nobody'],
        ] as const) {
          const model = scriptedModel([{ toolCalls: [{ id: 'c1', name: 'who', input: {} }] }, 'done']);
          const first = await createAgent({ name: 'a', model, tools, pipeline: createPipeline([]) }).call('go');
          expect(first.outcome).to.equal('suspended');
          const [pending] = pendingCalls(first.snapshot!);
          expect(pending?.prompt).to.equal('The MCP server asks: Who is it?');
          const { approved, ...more } = answer;
          const input = 'content' in more ? { input: { ...pending!.judged!.input, content: more.content } } : {};
          const given = { snapshot: first.snapshot, answers: { [pending!.key]: { approved, ...input } } };
          expect((await resumeElsewhere(given)).at(-1)).to.equal(said);
        }
      });
    }

    if (!pair.modern) {
      it('include new tools after a change', async () => {
        const live = await mcpTools(client as McpClient);
        await client.callTool({ name: 'grow', arguments: {} });
        await until(() => live.tools.some(({ name }) => name === 'grown'));
      });
    }
  });
}
