import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  createAgent,
  createPipeline,
  defineHook,
  deny,
  type HookEvent,
  type JsonObject,
  modify,
  type SettledEvent,
} from 'hookline';
import { createHookConfigs, createLiveHooks, fileStore, type LiveHooks } from 'hookline/config';
import { auditLog, dangerousConfirmation, securityScan } from 'hookline/hooks';
import { scriptedModel, scriptedTool } from 'hookline/testing';
import { builtIns } from '../../lib/hooks/built-ins.ts';
import { type Api, anApi } from '../server/api.ts';
import { tempFolder } from '../temp-folder.ts';

/** The example configuration of the JARVIS plan, unchanged. */
const CONFIG = {
  hooks: {
    pre_tool_use: {
      enabled: true,
      handlers: [
        { type: 'audit_log', filter: null },
        { type: 'dangerous_confirmation', filter: { permissions: ['WRITE', 'EXTERNAL'] } },
      ],
    },
    post_tool_use: {
      enabled: true,
      handlers: [
        { type: 'security_scan', filter: null },
        { type: 'audit_log', filter: null },
      ],
    },
    tool_error: { enabled: true, handlers: [{ type: 'audit_log', filter: null }] },
  },
};

const SECRET = "api_key = 'Zk83hdTqPw91LmNx'";

/** Runs the plan's tools under the hooks of a configuration; returns the results and the audit records. */
async function runUnder(config: object, input: JsonObject = {}, asked: () => boolean = () => false) {
  const folder = tempFolder('jarvis');
  const file = join(folder, 'hooks.json');
  const audit = join(folder, 'audit.jsonl');
  writeFileSync(file, JSON.stringify(config));
  const live: LiveHooks = await createLiveHooks({
    files: [file],
    host: { options: { 'audit-log': { file: audit }, 'dangerous-confirmation': { askBy: asked } } },
  });
  const { pipeline, release } = await live.lease();
  const tools = [
    scriptedTool({ name: 'read_notes', permission: 'read', result: SECRET }),
    scriptedTool({ name: 'shell', permission: 'external', result: 'done' }),
    scriptedTool({ name: 'broken', permission: 'read', error: { name: 'ValueError', message: 'no such row' } }),
  ];
  const toolCalls = tools.map(({ name }) => ({ id: name, name, input: name === 'shell' ? input : {} }));
  const model = scriptedModel([{ toolCalls }, { text: 'end' }]);
  const agent = createAgent({ name: 'jarvis', model, tools, pipeline, toolConcurrency: 1 });
  const events: SettledEvent[] = [];
  await new Promise<void>((resolve, reject) =>
    agent.run('go', { sessionId: 's1', userId: 'u1' }).subscribe({
      next: (event) => events.push(event),
      error: reject,
      complete: resolve,
    }),
  );
  await pipeline.flush();
  release();
  await live.close();
  const done = events.filter((event) => event.type === 'postActing');
  const records: Record<string, unknown>[] = readFileSync(audit, { encoding: 'utf8', flag: 'a+' })
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  return {
    tools,
    records,
    results: Object.fromEntries(done.map((event) => [event.toolCall.name, event])),
    outcome: events.at(-1),
  };
}

describe('the JARVIS plan', () => {
  describe('2. types', () => {
    it('pre_tool_use receives tool_name, arguments, session_id, user_id and metadata; it may ALLOW, DENY or MODIFY', async () => {
      const seen: unknown[] = [];
      const hook = defineHook({
        name: 'pre',
        on: {
          preActing(event) {
            const { toolCall, run } = event;
            seen.push([toolCall.name, toolCall.input, run.sessionId, run.userId, run.metadata]);
            if (toolCall.id === 'deny') return deny(event, 'no');
            return toolCall.id === 'modify' ? modify(event, { toolCall: { ...toolCall, input: { x: 2 } } }) : undefined;
          },
        },
      });
      const tool = scriptedTool({ name: 't', result: 'done' });
      const toolCalls = ['allow', 'deny', 'modify'].map((id) => ({ id, name: 't', input: { x: 1 } }));
      const model = scriptedModel([{ toolCalls }, { text: 'end' }]);
      await createAgent({ name: 'a', model, tools: [tool], pipeline: createPipeline([hook]), toolConcurrency: 1 }).call(
        'go',
        {
          sessionId: 's1',
          userId: 'u1',
          metadata: { channel: 'c' },
        },
      );
      expect(seen).to.deep.equal(Array(3).fill(['t', { x: 1 }, 's1', 'u1', { channel: 'c' }]));
      expect(tool.calls.map(({ input }) => input)).to.deep.equal([{ x: 1 }, { x: 2 }]);
    });

    it('post_tool_use receives result, and may MODIFY_RESULT or CONTINUE; tool_error receives the error', async () => {
      const errors: unknown[] = [];
      const hook = defineHook({
        name: 'post',
        on: {
          postActing: (event) =>
            event.outcome === 'executed'
              ? modify(event, { result: { ...event.result, content: 'changed' } })
              : undefined,
          error: ({ error, phase }: HookEvent & { type: 'error' }) =>
            void errors.push([phase, error.name, error.message]),
        },
      });
      const tools = [
        scriptedTool({ name: 'a', result: 'x' }),
        scriptedTool({ name: 'b', error: { message: 'broke' } }),
      ];
      const model = scriptedModel([{ toolCalls: tools.map(({ name }) => ({ name, input: {} })) }, { text: 'end' }]);
      const told: string[] = [];
      await new Promise<void>((resolve) =>
        createAgent({ name: 'a', model, tools, pipeline: createPipeline([hook]) })
          .run('go')
          .subscribe({
            next: (event) => event.type === 'postActing' && told.push(`${event.outcome} ${event.result.content}`),
            complete: resolve,
          }),
      );
      expect(told[0]).to.equal('executed changed');
      expect(told[1]).to.match(/^failed .*broke/);
      expect(errors).to.deep.equal([['acting', 'Error', 'broke']]);
    });
  });

  describe('3.1 dangerous_confirmation', () => {
    for (const pattern of [
      'delete',
      'remove',
      'drop',
      'truncate',
      'rm ',
      'rmdir',
      'shutdown',
      'reboot',
      'format',
      'fdisk',
    ]) {
      it(`asks before a write or external tool does "${pattern}", in any case, and ignores reading`, async () => {
        for (const permission of ['write', 'external', 'read'] as const) {
          const asked: string[] = [];
          const tool = scriptedTool({ name: 't', permission, result: 'done' });
          const hook = dangerousConfirmation({
            askBy: ({ tool: name, input, run }) =>
              void asked.push(`${name} ${run.userId} ${JSON.stringify(input)}`) as never,
          });
          const model = scriptedModel([
            { toolCalls: [{ name: 't', input: { command: `${pattern.toUpperCase()} x` } }] },
            { text: 'end' },
          ]);
          await createAgent({ name: 'a', model, tools: [tool], pipeline: createPipeline([hook]) }).call('go', {
            userId: 'u1',
          });
          const input = JSON.stringify({ command: `${pattern.toUpperCase()} x` });
          expect(asked, permission).to.deep.equal(permission === 'read' ? [] : [`t u1 ${input}`]);
          expect(tool.calls, permission).to.have.length(permission === 'read' ? 1 : 0);
        }
      });
    }
  });

  describe('3.2 security_scan', () => {
    for (const secret of [
      "password = 'hunter2-hunter2'",
      'api_key="Zk83hdTqPw91LmNx"',
      "secret = 'Qz83hdTqPw91LmNx'",
      `-----BEGIN ${'RSA '}PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7bq2\n-----END RSA PRIVATE KEY-----`,
      `sk-${'a8Kq2Zt7'.repeat(4)}`,
    ]) {
      it(`redacts ${secret.slice(0, 14)}… in results`, async () => {
        const tool = scriptedTool({ name: 't', result: `before ${secret} after` });
        const model = scriptedModel([{ toolCalls: [{ name: 't', input: {} }] }, { text: 'end' }]);
        const pipeline = createPipeline([securityScan()]);
        const results: string[] = [];
        pipeline.events$.subscribe((event) => event.type === 'postActing' && results.push(event.result.content));
        await createAgent({ name: 'a', model, tools: [tool], pipeline }).call('go');
        expect(results[0])
          .to.match(/^before .*\[REDACTED:[\w-]+\].* after$/s)
          .and.not.include(secret);
      });
    }
  });

  describe('3.3 audit_log', () => {
    it('records tool_call_start, tool_call_end and tool_call_error with the fields of the plan', async () => {
      const file = join(tempFolder('jarvis'), 'audit.jsonl');
      const tools = [
        scriptedTool({ name: 'good', result: 'x' }),
        scriptedTool({ name: 'bad', error: { name: 'ValueError', message: 'broke' } }),
      ];
      const model = scriptedModel([
        { toolCalls: tools.map(({ name }) => ({ name, input: { a: 1 } })) },
        { text: 'end' },
      ]);
      const pipeline = createPipeline([auditLog({ file })]);
      await createAgent({ name: 'a', model, tools, pipeline }).call('go', { sessionId: 's1', userId: 'u1' });
      await pipeline.flush();
      const records = readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      const common = { session_id: 's1', user_id: 'u1' };
      const named = (msg: string, tool: string) => records.find((record) => record.msg === msg && record.tool === tool);
      expect(named('tool_call_start', 'good')).to.deep.include({ ...common, tool: 'good', args: { a: 1 } });
      expect(named('tool_call_end', 'good')).to.deep.include({ ...common, success: true });
      expect(named('tool_call_end', 'good').duration_ms).to.be.a('number');
      expect(named('tool_call_error', 'bad')).to.deep.include({
        ...common,
        error: 'broke',
        error_type: 'ValueError',
        level: 50,
      });
      for (const { timestamp } of records) expect(new Date(timestamp).toISOString()).to.equal(timestamp);
    });
  });

  describe('4. configuration', () => {
    it('runs as in the plan: audited, a dangerous call denied, a secret redacted, an error recorded', async () => {
      const { tools, results, records } = await runUnder(CONFIG, { command: 'rm -rf /' });
      expect(tools[1]?.calls).to.deep.equal([]);
      expect(results['shell']).to.include({ outcome: 'denied' });
      expect(results['read_notes']?.result.content)
        .to.match(/REDACTED/)
        .and.not.include('Zk83hdTqPw91LmNx');
      expect(results['broken']).to.include({ outcome: 'failed' });
      const told = records.map(({ msg, tool }) => `${msg} ${tool ?? ''}`);
      expect(told).to.include.members([
        'tool_call_start read_notes',
        'tool_call_end read_notes',
        'tool_call_error broken',
      ]);
      expect(JSON.stringify(records)).not.to.include('Zk83hdTqPw91LmNx');
    });

    it('runs a call that the user approves', async () => {
      const { tools, results } = await runUnder(CONFIG, { command: 'rm -rf /' }, () => true);
      expect(tools[1]?.calls).to.have.length(1);
      expect(results['shell']).to.include({ outcome: 'executed' });
    });

    it('disables phases, or everything, by enabled', async () => {
      const { post_tool_use, ...rest } = CONFIG.hooks;
      const off = { hooks: { ...rest, post_tool_use: { ...post_tool_use, enabled: false } } };
      expect((await runUnder(off)).results['read_notes']?.result.content).to.equal(SECRET);
      const all = await runUnder({ enabled: false, ...CONFIG }, { command: 'rm -rf /' });
      expect(all.results['shell']).to.include({ outcome: 'executed' });
      expect(all.records).to.deep.equal([]);
    });

    it('applies a handler to the tools of its filter', async () => {
      const handlers = [{ type: 'dangerous_confirmation', filter: { tools: ['other*'] } }];
      const { results } = await runUnder({ hooks: { pre_tool_use: { handlers } } }, { command: 'rm -rf /' });
      expect(results['shell']).to.include({ outcome: 'executed' });
    });
  });

  describe('5.1 API', () => {
    let api: Api;
    beforeEach(async () => {
      api = await anApi();
    });
    afterEach(() => api.close());

    it('POST /api/hooks/config saves for the current user; GET returns it to that user only', async () => {
      const saved = await api.ask('POST', '/api/hooks/config', { body: CONFIG });
      expect(saved.json).to.deep.equal({ status: 'ok', revision: 1 });
      expect((await api.ask('GET', '/api/hooks/config')).json).to.deep.equal(CONFIG);
      const other = await api.ask('GET', '/api/hooks/config', { token: await api.token('bob') });
      expect(other.json).to.deep.equal({ hooks: {} });
    });

    it('POST validates: an invalid configuration is rejected with its issues, and not saved', async () => {
      const wrong = { hooks: { pre_tool_use: { handlers: [{ type: 'audit_lgo' }] } } };
      const refused = await api.ask('POST', '/api/hooks/config', { body: wrong });
      expect(refused.status).to.equal(422);
      expect(refused.json.error.issues[0]).to.deep.include({ path: 'hooks.pre_tool_use.handlers[0].type' });
      expect((await api.ask('GET', '/api/hooks/config')).headers.get('etag')).to.equal('"0"');
    });

    it('a saved configuration is loaded again: the next explanation uses it', async () => {
      const call = { tool: 'shell', input: { command: 'rm -rf /' }, permission: 'external' };
      const before = await api.ask('POST', '/api/hooks/explain', { body: call });
      expect(before.json.decision).to.deep.equal({ action: 'proceed' });
      await api.ask('POST', '/api/hooks/config', { body: CONFIG });
      const after = await api.ask('POST', '/api/hooks/explain', { body: call });
      expect(after.json.decision).to.deep.include({ action: 'ask', by: 'pre_tool_use.dangerous-confirmation' });
    });

    it('GET /api/hooks/available lists the built-in hooks with their descriptions, and those of the host', async () => {
      const { json } = await api.ask('GET', '/api/hooks/available');
      expect(json.builtin.map(({ name }: { name: string }) => name)).to.deep.equal(builtIns.map(({ name }) => name));
      for (const { description } of json.builtin) expect(description).to.be.a('string').and.not.equal('');
      expect(json.custom).to.deep.equal([]);
    });
  });

  // Its other rows: the hooks before, after and on errors are under 4, the API under 5.1.
  describe('8. acceptance table', () => {
    it('a configuration is saved and loaded by another process with the same file store', async () => {
      const folder = tempFolder('jarvis');
      const live = await createLiveHooks({ files: [] });
      await createHookConfigs(live, fileStore(folder)).save({ user: 'u1' }, JSON.stringify(CONFIG), 'body');
      const other = createHookConfigs(live, fileStore(folder));
      expect(await other.read({ user: 'u1' })).to.deep.include({ revision: 1, config: CONFIG });
      const { pipeline, release } = await other.lease({ user: 'u1' });
      expect(pipeline.hooks).to.have.length(5);
      release();
      await live.close();
    });

    it('everything works as before without a configuration', async () => {
      const { results, outcome, records } = await runUnder({}, { command: 'rm -rf /' });
      expect(results['shell']).to.include({ outcome: 'executed' });
      expect(results['read_notes']?.result.content).to.equal(SECRET);
      expect(outcome).to.include({ type: 'postCall', outcome: 'completed' });
      expect(records).to.deep.equal([]);
    });
  });
});
