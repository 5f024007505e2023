import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { builtIns } from '../../lib/hooks/built-ins.ts';
import { type Api, anApi, HOST } from './api.ts';

const AUDIT = { hooks: { 'my-audit': { type: 'audit-log' } } };

describe('config API', () => {
  let api: Api;
  afterEach(() => api?.close());

  it('saves a configuration and returns it in its original format', async () => {
    api = await anApi();
    const saved = await api.ask('POST', '/api/hooks/config', { body: AUDIT });
    expect(saved).to.deep.include({ status: 200, json: { status: 'ok', revision: 1 } });
    expect(saved.headers.get('etag')).to.equal('"1"');
    const got = await api.ask('GET', '/api/hooks/config');
    expect(got).to.deep.include({ status: 200, json: AUDIT });
    expect(got.headers.get('etag')).to.equal('"1"');
    const jarvis = { hooks: { post_tool_use: { handlers: [{ type: 'audit_log' }] } } };
    expect(await api.ask('POST', '/api/hooks/config', { body: jarvis })).to.deep.include({
      json: { status: 'ok', revision: 2 },
    });
    expect((await api.ask('GET', '/api/hooks/config')).json).to.deep.equal(jarvis);
  });

  it('returns an empty configuration of revision 0 if none was saved', async () => {
    api = await anApi();
    const got = await api.ask('GET', '/api/hooks/config');
    expect(got).to.deep.include({ status: 200, json: { hooks: {} } });
    expect(got.headers.get('etag')).to.equal('"0"');
  });

  it('returns 304 without a body if the client has the revision', async () => {
    api = await anApi();
    await api.ask('POST', '/api/hooks/config', { body: AUDIT });
    const get = (tags: string) => api.ask('GET', '/api/hooks/config', { headers: { 'if-none-match': tags } });
    for (const tags of ['"1"', 'W/"1"', '"0", "1"', '*']) {
      const got = await get(tags);
      expect(got, tags).to.include({ status: 304, text: '' });
      expect(got.headers.get('etag')).to.equal('"1"');
    }
    for (const tags of ['"0"', '"2", "3"']) expect(await get(tags), tags).to.include({ status: 200 });
  });

  it('rejects writes over an unseen revision', async () => {
    api = await anApi();
    const post = (headers: Record<string, string>) => api.ask('POST', '/api/hooks/config', { body: AUDIT, headers });
    expect(await post({ 'if-match': '*' }), 'nothing there').to.include({ status: 412 });
    expect(await post({ 'if-match': '"1"' }), 'not there yet').to.include({ status: 412 });
    expect(await post({ 'if-none-match': '*' }), 'nothing there').to.include({ status: 200 });
    expect(await post({ 'if-none-match': '*' }), 'something there').to.include({ status: 412 });
    expect(await post({ 'if-match': '"0"' }), 'stale').to.include({ status: 412 });
    expect(await post({ 'if-match': 'W/"1"' }), 'a weak one is never the same').to.include({ status: 412 });
    expect(await post({ 'if-match': '"0", "1"' }), 'one of several').to.include({ status: 200 });
    expect(await post({ 'if-match': '*' }), 'something there').to.include({ status: 200 });
    const wrong = await post({ 'if-match': '3' });
    expect(wrong).to.include({ status: 422 });
    expect(wrong.json.error.message).to.equal('Header if-match: expected * or revisions in quotes ("3"), got "3".');
    expect((await api.ask('GET', '/api/hooks/config')).headers.get('etag')).to.equal('"3"');
  });

  it('accepts one of two writes with the same revision', async () => {
    api = await anApi();
    const post = () => api.ask('POST', '/api/hooks/config', { body: AUDIT, headers: { 'if-match': '"0"' } });
    const statuses = (await Promise.all([post(), post(), post()])).map(({ status }) => status);
    expect(statuses.sort()).to.deep.equal([200, 412, 412]);
  });

  it('lists the hook kinds', async () => {
    api = await anApi();
    const { json } = await api.ask('GET', '/api/hooks/available');
    expect(json.builtin.map(({ name }: { name: string }) => name)).to.have.members(builtIns.map(({ name }) => name));
    for (const kind of json.builtin) expect(kind).to.have.all.keys('name', 'description');
    expect(json.custom).to.deep.equal([]);
  });

  it('describes the options of a kind', async () => {
    api = await anApi();
    const { json } = await api.ask('GET', '/api/hooks/available/loop-guard');
    expect(json).to.include({ name: 'loop-guard' });
    expect(json.options.properties.name).to.deep.include({ default: 'loop-guard', type: 'string' });
    for (const { name } of builtIns)
      expect((await api.ask('GET', `/api/hooks/available/${name}`)).status, name).to.equal(200);
    expect((await api.ask('GET', '/api/hooks/available/toString')).status).to.equal(404);
  });

  it('returns all issues with their locations, equally for validate and save, and saves nothing', async () => {
    api = await anApi();
    const body =
      '{\n  "hooks": {\n    "a": { "type": "audti-log" },\n    "b": { "type": "audit-log", "priorty": 1 }\n  }\n}';
    const { json } = await api.ask('POST', '/api/hooks/config/validate', { body });
    expect(json.valid).to.equal(false);
    const places = json.issues.map(({ line, path }: { line: number; path: string }) => `${line} ${path}`);
    expect(places).to.have.members(['3 hooks.a.type', '4 hooks.b.priorty']);
    const refused = await api.ask('POST', '/api/hooks/config', { body });
    expect(refused).to.include({ status: 422 });
    expect(refused.json.error.code).to.equal('CONFIG_INVALID');
    expect(refused.json.error.issues.map(({ path }: { path: string }) => path)).to.have.members([
      'hooks.a.type',
      'hooks.b.priorty',
    ]);
    expect((await api.ask('POST', '/api/hooks/config/validate', { body: AUDIT })).json).to.deep.equal({
      valid: true,
      issues: [],
      notices: [],
    });
    expect((await api.ask('GET', '/api/hooks/config')).headers.get('etag')).to.equal('"0"');
  });

  it('keeps a history and saves an old revision again', async () => {
    api = await anApi();
    await api.ask('POST', '/api/hooks/config', { body: AUDIT });
    await api.ask('POST', '/api/hooks/config', { body: { hooks: {} } });
    expect(await api.ask('POST', '/api/hooks/config/rollback', { body: { revision: 1 } })).to.deep.include({
      json: { status: 'ok', revision: 3 },
    });
    const { json } = await api.ask('GET', '/api/hooks/config/history');
    expect(json.map(({ revision, config }: { revision: number; config: object }) => [revision, config])).to.deep.equal([
      [3, AUDIT],
      [2, { hooks: {} }],
      [1, AUDIT],
    ]);
    const none = await api.ask('POST', '/api/hooks/config/rollback', { body: { revision: 9 } });
    expect(none).to.include({ status: 422 });
    expect(none.json.error.message).to.equal('There is no revision 9. Revisions: 3, 2, 1.');
    const stale = { body: { revision: 1 }, headers: { 'if-match': '"1"' } };
    expect(await api.ask('POST', '/api/hooks/config/rollback', stale)).to.include({ status: 412 });
  });

  it('disables and enables a hook of the saved configuration', async () => {
    api = await anApi();
    await api.ask('POST', '/api/hooks/config', { body: AUDIT });
    const set = (enabled: unknown, name = 'my-audit') =>
      api.ask('POST', `/api/hooks/${name}/switch`, { body: { enabled } });
    expect((await set(false)).json).to.deep.equal({ status: 'ok', revision: 2 });
    expect((await api.ask('GET', '/api/hooks/config')).json.hooks['my-audit']).to.deep.equal({
      type: 'audit-log',
      enabled: false,
    });
    expect((await set(true)).json).to.deep.equal({ status: 'ok', revision: 3 });
    const near = await set(true, 'my-audti');
    expect(near).to.include({ status: 422 });
    expect(near.json.error.message).to.include('Did you mean "my-audit"?');
    const wrong = await set('yes');
    expect(wrong).to.include({ status: 422 });
    expect(wrong.json.error.issues).to.deep.equal([
      {
        file: 'POST /api/hooks/my-audit/switch',
        line: 1,
        column: 12,
        path: 'enabled',
        message: 'expected boolean, got "yes".',
      },
    ]);
  });

  it('enables hooks that the base has disabled, and does not disable enabled ones', async () => {
    api = await anApi({ on: { type: 'dangerous-confirmation' }, off: { type: 'audit-log', enabled: false } });
    expect(await api.ask('POST', '/api/hooks/off/switch', { body: { enabled: true } })).to.include({ status: 200 });
    const refused = await api.ask('POST', '/api/hooks/on/switch', { body: { enabled: false } });
    expect(refused).to.include({ status: 422 });
    expect(refused.json.error.issues[0]).to.include({ path: 'hooks.on.enabled' });
    expect(refused.json.error.message).to.include(
      'the base enables "on", so this configuration cannot disable or weaken it',
    );
  });

  it('explains a call under the hooks of the user without running anything', async () => {
    api = await anApi();
    const body = { tool: 'run_command', input: { command: 'rm -rf /' }, permission: 'external' };
    const before = await api.ask('POST', '/api/hooks/explain', { body });
    expect(before.json.decision).to.deep.equal({ action: 'proceed' });
    await api.ask('POST', '/api/hooks/config', { body: { hooks: { careful: { type: 'dangerous-confirmation' } } } });
    const after = await api.ask('POST', '/api/hooks/explain', { body });
    expect(after.json.decision).to.include({ action: 'ask', by: 'careful' });
    expect(after.json.steps[0]).to.include.all.keys('hook', 'priority', 'stage', 'effect', 'ms');
    const bob = await api.ask('POST', '/api/hooks/explain', { body, token: await api.token('bob') });
    expect(bob.json.decision, 'of another user').to.deep.equal({ action: 'proceed' });
    const live = await api.ask('POST', '/api/hooks/explain', { body: { ...body, live: true } });
    expect(live, 'programs are not run over HTTP').to.include({ status: 422 });
  });

  it('reloads the files, and returns their issues without any change', async () => {
    api = await anApi();
    expect((await api.ask('POST', '/api/hooks/reload')).json).to.deep.equal({
      status: 'unchanged',
      generation: 1,
      notices: [],
    });
    writeFileSync(api.file, JSON.stringify(AUDIT));
    expect((await api.ask('POST', '/api/hooks/reload')).json).to.include({ status: 'reloaded', generation: 2 });
    writeFileSync(api.file, '{');
    const refused = await api.ask('POST', '/api/hooks/reload');
    expect(refused).to.include({ status: 422 });
    expect(refused.json.error.code).to.equal('CONFIG_INVALID');
    expect(api.live.generation).to.equal(2);
  });

  it('streams the state of the files now and after each reload, until the end', async () => {
    api = await anApi({ a: { type: 'audit-log' } });
    const write = (hooks: object) => writeFileSync(api.file, JSON.stringify({ hooks }));
    const response = await api.server.fetch(
      new Request(`http://${HOST}/api/hooks/changes`, {
        headers: { host: HOST, authorization: `Bearer ${await api.token('alice')}` },
      }),
    );
    expect(response.headers.get('content-type')).to.equal('text/event-stream');
    const text = response.text();
    write({ a: { type: 'audti-log' } });
    await api.ask('POST', '/api/hooks/reload', {});
    const { json } = await api.ask('GET', '/api/hooks/state');
    expect(json).to.deep.include({ type: 'refused', generation: 1 });
    expect(json.issues[0]).to.deep.include({ path: 'hooks.a.type' });
    write({ b: { type: 'audit-log' } });
    await api.ask('POST', '/api/hooks/reload', {});
    expect((await api.ask('GET', '/api/hooks/state')).json).to.deep.equal({
      type: 'reloaded',
      generation: 2,
      issues: [],
    });
    await api.live.close();
    expect((await text).match(/^event: .*$/gm)).to.deep.equal(['event: reloaded', 'event: refused', 'event: reloaded']);
  });

  it('separates the configurations of users, and those of scopes from tokens without them', async () => {
    api = await anApi();
    await api.ask('POST', '/api/hooks/config', { body: AUDIT });
    const bob = await api.token('bob', ['read', 'configure'], ['team']);
    const path = '/api/hooks/config';
    expect((await api.ask('GET', path, { token: bob })).json).to.deep.equal({ hooks: {} });
    expect(await api.ask('POST', `${path}?scope=team`, { token: bob, body: AUDIT })).to.include({ status: 200 });
    expect((await api.ask('GET', `${path}?scope=team`, { token: bob })).json).to.deep.equal(AUDIT);
    expect((await api.ask('GET', path, { token: bob })).json, 'his own').to.deep.equal({ hooks: {} });
    for (const [method, route] of [
      ['GET', path],
      ['POST', path],
      ['POST', `${path}/validate`],
      ['GET', `${path}/history`],
    ] as const) {
      const body = method === 'POST' ? { body: AUDIT } : {};
      const refused = await api.ask(method, `${route}?scope=team`, body);
      expect(refused, `${method} ${route}`).to.include({ status: 403 });
      expect(refused.json.error.message).to.equal('The token of "alice" does not cover the scope "team".');
    }
  });

  it('requires the right of each route', async () => {
    api = await anApi();
    const bodies: Record<string, object> = {
      '/api/hooks/config': AUDIT,
      '/api/hooks/config/validate': AUDIT,
      '/api/hooks/config/rollback': { revision: 1 },
      '/api/hooks/:name/switch': { enabled: true },
      '/api/hooks/explain': { tool: 'x' },
    };
    const wanting = { configure: 0, read: 0, approve: 0, run: 0, 'runs:read': 0 };
    for (const { method, path: pattern, right } of api.server.routes) {
      if (right === 'any') continue;
      const path = pattern.replace('available/:name', 'available/todo');
      wanting[right] += 1;
      const body = method === 'GET' ? undefined : bodies[path];
      const others = (['read', 'approve', 'configure', 'run'] as const).filter((one) => one !== right);
      const refused = await api.ask(method, path, { token: await api.token('bob', others), body });
      expect(refused, `${method} ${path}`).to.include({ status: 403 });
      expect(refused.json.error.message).to.equal(`The token of "bob" lacks the right "${right}".`);
      // A stream does not end.
      const asked = path.endsWith('/changes') ? 'HEAD' : method;
      const taken = await api.ask(asked, path, { token: await api.token('bob', [right]), body });
      expect(taken.status, `${method} ${path}`).to.be.oneOf([200, 422]);
    }
    expect(wanting).to.deep.equal({ read: 6, configure: 7, approve: 0, run: 0, 'runs:read': 0 });
  });

  it('rejects unknown query parameters', async () => {
    api = await anApi();
    for (const [query, said] of [
      ['scop=team', 'unknown key. Did you mean "scope"?'],
      ['scope=', 'Too small'],
      ['scope=a&scope=b', 'expected string'],
    ] as const) {
      const refused = await api.ask('GET', `/api/hooks/config?${query}`);
      expect(refused, query).to.include({ status: 422 });
      expect(refused.json.error.message).to.include(said);
    }
  });
});
