import { expect } from 'chai';
import { type Api, anApi } from './api.ts';

/** Fields that a hook may not have over HTTP, and the path of the issue. */
const NEVER: Readonly<Record<string, readonly [hook: object, path: string]>> = {
  'a program': [{ type: 'process', options: { command: ['id'], intercept: ['before_tool'] } }, 'hooks.x.type'],
  'a shell command': [{ type: 'command', options: { hooks: {} } }, 'hooks.x.type'],
  'a module': [{ type: 'module', path: './x.js' }, 'hooks.x.type'],
  'a path of another kind of hook': [{ type: 'audit-log', path: './x.js' }, 'hooks.x.path'],
  'a file to write': [{ type: 'audit-log', options: { file: '/tmp/x' } }, 'hooks.x.options.file'],
  'regular expression rules': [
    { type: 'security-scan', options: { extraRules: [{ id: 'x', regex: '(a+)+$' }] } },
    'hooks.x.options.extraRules',
  ],
  'a variable': [{ type: 'audit-log', match: { tools: ['${HOME}'] } }, 'hooks.x.match.tools[0]'],
};

describe('a configuration sent over HTTP', () => {
  let api: Api;
  afterEach(() => api?.close());

  for (const [what, [hook, path]] of Object.entries(NEVER)) {
    it(`excludes ${what} for users, scopes and disabled base hooks`, async () => {
      const type = (hook as { type: string }).type === 'security-scan' ? 'security-scan' : 'audit-log';
      api = await anApi({ off: { type, enabled: false } });
      const token = await api.token('alice', ['configure', 'read'], ['team']);
      for (const name of ['x', 'off']) {
        const body = { hooks: { [name]: hook } };
        const at = path.replace('hooks.x', `hooks.${name}`);
        for (const query of ['', '?scope=team']) {
          const refused = await api.ask('POST', `/api/hooks/config${query}`, { token, body });
          expect(refused, `${name}${query}`).to.include({ status: 422 });
          expect(refused.json.error.issues.map((issue: { path: string }) => issue.path)).to.include(at);
        }
        const { json } = await api.ask('POST', '/api/hooks/config/validate', { token, body });
        expect(json.issues.map((issue: { path: string }) => issue.path)).to.include(at);
      }
      expect((await api.ask('GET', '/api/hooks/config')).headers.get('etag')).to.equal('"0"');
    });
  }

  it('contains only hooks: no model, tools, workspace, environment or address of the server', async () => {
    api = await anApi();
    const body = { hooks: {}, env: ['HOME'], model: 'offline', tools: ['*'], workspace: '/', server: { port: 1 } };
    const refused = await api.ask('POST', '/api/hooks/config', { body });
    expect(refused.json.error.issues.map((issue: { path: string }) => issue.path)).to.deep.equal([
      'env',
      'model',
      'tools',
      'workspace',
      'server',
    ]);
  });

  it('excludes the formats of Claude Code and PicoClaw, which consist of commands', async () => {
    api = await anApi();
    const claude = { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'id' }] }] } };
    const picoclaw = { hooks: { enabled: true, processes: { x: { enabled: true, command: ['id'] } } } };
    for (const body of [claude, picoclaw]) {
      const refused = await api.ask('POST', '/api/hooks/config', { body });
      expect(refused).to.include({ status: 422 });
      expect(refused.json.error.message).to.include('only a configuration file may contain commands');
    }
  });

  it('cannot weaken any field of an enabled base hook', async () => {
    api = await anApi({ on: { type: 'dangerous-confirmation', timeoutMs: 5_000, match: { tools: ['*'] } } });
    const looser = {
      enabled: false,
      type: 'audit-log',
      priority: 1,
      match: { tools: ['x'] },
      onFailure: 'skip',
      timeoutMs: 6_000,
      options: { permissions: [] },
    };
    for (const [member, value] of Object.entries(looser)) {
      const refused = await api.ask('POST', '/api/hooks/config', { body: { hooks: { on: { [member]: value } } } });
      expect(refused, member).to.include({ status: 422 });
      expect(refused.json.error.issues[0], member).to.include({ path: `hooks.on.${member}` });
    }
    for (const body of [{ timeoutMs: 4_000, onFailure: 'block' }, { onFailure: 'block' }, { enabled: true }])
      expect(await api.ask('POST', '/api/hooks/config', { body: { hooks: { on: body } } })).to.include({ status: 200 });
  });

  it('has a maximum number of hooks, in any format', async () => {
    api = await anApi();
    const handlers = (count: number) => Array.from({ length: count }, () => ({ type: 'audit-log' }));
    const named = (count: number) => ({ hooks: Object.fromEntries(Object.entries(handlers(count))) });
    const phases = (count: number) => ({
      pre_tool_use: { handlers: handlers(count) },
      tool_error: { handlers: handlers(1) },
    });
    for (const body of [named(51), phases(50), { hooks: phases(50) }]) {
      for (const path of ['/api/hooks/config', '/api/hooks/config/validate']) {
        const { status, json } = await api.ask('POST', path, { body });
        expect(status).to.equal(422);
        expect(json.error.issues[0]).to.include({ path: 'hooks' }).and.property('message').includes('more than 50');
      }
    }
    for (const body of [named(50), phases(49), { hooks: phases(49) }]) {
      expect(await api.ask('POST', '/api/hooks/config', { body })).to.include({ status: 200 });
    }
  });
  it('excludes a glob that would block the server', async () => {
    api = await anApi();
    const body = { hooks: { a: { type: 'dangerous-confirmation', match: { tools: [`${'*a'.repeat(100)}b`] } } } };
    expect(await api.ask('POST', '/api/hooks/config', { body })).to.include({ status: 200 });
    const { json } = await api.ask('POST', '/api/hooks/explain', { body: { tool: 'a'.repeat(200) } });
    expect(json.decision).to.deep.equal({ action: 'proceed' });
  });
});

describe('a secret over HTTP', () => {
  let api: Api;
  afterEach(() => api?.close());
  const secret = ['correct', 'horse', 'battery'].join('-');
  const body = { hooks: { scan: { type: 'security-scan', options: { known: [{ label: 'mine', value: secret }] } } } };

  it('never appears in the configuration, its history or an error, and a posted placeholder keeps it', async () => {
    api = await anApi();
    const hidden = JSON.parse(JSON.stringify(body).replace(secret, '[hidden]'));
    expect(await api.ask('POST', '/api/hooks/config', { body })).to.include({ status: 200 });
    expect((await api.ask('GET', '/api/hooks/config')).json).to.deep.equal(hidden);
    expect((await api.ask('GET', '/api/hooks/config/history')).text).not.to.include(secret);
    const back = { hooks: { scan: { ...hidden.hooks.scan, priority: 11 } } };
    expect(await api.ask('POST', '/api/hooks/config', { body: back })).to.include({ status: 200 });
    const kept = JSON.stringify((await api.store.read(['configs', 'user', 'alice']))?.value);
    expect(kept).to.include(secret).and.include('"priority":11');
    const wrong = JSON.parse(JSON.stringify(body).replace(`"${secret}"`, `["${secret}"]`));
    const refused = await api.ask('POST', '/api/hooks/config', { body: wrong });
    expect(refused).to.include({ status: 422 });
    expect(refused.text).not.to.include(secret);
  });
});
