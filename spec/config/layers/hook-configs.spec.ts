import { expect } from 'chai';
import {
  createHookConfigs,
  createLiveHooks,
  formatPath,
  type HookConfigs,
  issuesOf,
  type LiveHooks,
  memoryStore,
} from 'hookline/config';
import { pino } from 'pino';
import { builtIns } from '../../../lib/hooks/built-ins.ts';
import { written } from '../read.ts';

const base = {
  env: ['TOKEN'],
  hooks: {
    guard: { type: 'dangerous-confirmation', onFailure: 'block', timeoutMs: 9_000 },
    spare: { type: 'security-scan', enabled: false },
    plugin: { type: 'process', enabled: false, options: { command: ['cat'], observe: ['*'] } },
  },
};

describe('createHookConfigs', () => {
  let live: LiveHooks;
  let configs: HookConfigs;
  let store: ReturnType<typeof memoryStore>;
  const alice = { user: 'alice' };

  beforeEach(async () => {
    live = await createLiveHooks({ files: [written({ 'c.json': base })('c.json')], env: { TOKEN: 'topsecret' } });
    store = memoryStore();
    configs = createHookConfigs(live, store);
  });
  afterEach(() => live.close());

  const save = (config: object, owner: object = alice) => configs.save(owner, JSON.stringify(config), 'body');
  const hooksOf = async (owner: object) => {
    const { pipeline, release } = await configs.lease(owner);
    release();
    return pipeline.hooks.map(({ name }) => name);
  };
  const issues = async (config: object): Promise<string[]> => {
    const told = await configs.validate(alice, JSON.stringify(config), 'body');
    return told.issues.map(({ path, message }) => `${formatPath(path)}: ${message}`);
  };

  it("adds a user's hooks to those of the files, only for that user", async () => {
    expect(await configs.read(alice)).to.deep.equal({ revision: 0, config: { hooks: {} } });
    expect(await save({ hooks: { mine: { type: 'audit-log' } } })).to.deep.include({ revision: 1 });
    expect(await hooksOf(alice)).to.deep.equal(['guard', 'mine']);
    expect(await hooksOf({ user: 'bob' })).to.deep.equal(['guard']);
    expect(await hooksOf({})).to.deep.equal(['guard']);
  });

  it("layers a user's configuration over that of the scope", async () => {
    await save({ hooks: { team: { type: 'audit-log' } } }, { scope: 'red' });
    await save({ hooks: { mine: { type: 'audit-log' } } });
    expect(await hooksOf({ ...alice, scope: 'red' })).to.deep.equal(['guard', 'team', 'mine']);
    expect(await hooksOf(alice)).to.deep.equal(['guard', 'mine']);
  });

  it('accepts the format of the JARVIS plan and returns it as saved', async () => {
    const jarvis = { hooks: { post_tool_use: { enabled: true, handlers: [{ type: 'security_scan', filter: null }] } } };
    await save(jarvis);
    expect((await configs.read(alice)).config).to.deep.equal(jarvis);
    expect(await hooksOf(alice)).to.deep.equal(['guard', 'post_tool_use.security-scan']);
  });

  it('rejects shorter timeouts of file scripts, because a late script that fails open would be skipped', async () => {
    const settings = {
      hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'true', onFailure: 'continue' }] }] },
    };
    const hooks = { scripts: { type: 'command', onFailure: 'block', timeoutMs: 9_000, options: { settings } } };
    await live.close();
    live = await createLiveHooks({ files: [written({ 'c.json': { hooks } })('c.json')] });
    configs = createHookConfigs(live, memoryStore());
    expect(await issues({ hooks: { scripts: { onFailure: 'block' } } })).to.deep.equal([]);
    expect((await issues({ hooks: { scripts: { timeoutMs: 1 } } }))[0]).to.match(/^hooks\.scripts\.timeoutMs: /);
  });

  it('enables prepared hooks of the files and tightens enabled ones', async () => {
    expect(
      await issues({ hooks: { spare: { enabled: true, options: { mode: 'mask' } }, plugin: { enabled: true } } }),
    ).to.deep.equal([]);
    expect(await issues({ hooks: { guard: { enabled: true, onFailure: 'block', timeoutMs: 5_000 } } })).to.deep.equal(
      [],
    );
    await configs.switch(alice, 'spare', true);
    expect(await hooksOf(alice)).to.deep.equal(['guard', 'spare']);
    await configs.switch(alice, 'spare', false);
    expect(await hooksOf(alice)).to.deep.equal(['guard']);
  });

  for (const [what, hooks, path] of [
    ['disables a hook of the files', { guard: { enabled: false } }, 'hooks.guard.enabled'],
    ['narrows its match', { guard: { match: { tools: ['x'] } } }, 'hooks.guard.match'],
    ['changes its options', { guard: { options: { askBy: 'suspend' } } }, 'hooks.guard.options'],
    ['raises its timeout', { guard: { timeoutMs: 10_000 } }, 'hooks.guard.timeoutMs'],
    ['makes it fail open', { guard: { onFailure: 'skip' } }, 'hooks.guard.onFailure'],
    ['changes its priority', { guard: { priority: 1_000 } }, 'hooks.guard.priority'],
    ['names a command', { p: { type: 'process', options: { command: ['sh'], observe: ['*'] } } }, 'hooks.p.type'],
    ['names a command hook', { p: { type: 'command', options: { settings: { hooks: {} } } } }, 'hooks.p.type'],
    ['names a module', { m: { type: 'module', path: '/tmp/x.js' } }, 'hooks.m.type'],
    [
      'changes the command of a process',
      { plugin: { enabled: true, options: { command: ['sh'] } } },
      'hooks.plugin.options',
    ],
    ['writes a file', { a: { type: 'audit-log', options: { file: '/etc/x' } } }, 'hooks.a.options.file'],
    ['logs secrets', { a: { type: 'audit-log', options: { redact: false } } }, 'hooks.a.options.redact'],
    ['logs whole results', { a: { type: 'audit-log', options: { results: true } } }, 'hooks.a.options.results'],
    ['allows others to weaken it', { guard: { weaker: true } }, 'hooks.guard.weaker'],
    [
      'reads the environment',
      { s: { type: 'security-scan', options: { environment: ['TOKEN'] } } },
      'hooks.s.options.environment',
    ],
    ['uses a variable', { s: { type: 'security-scan', options: { key: '${TOKEN}' } } }, 'hooks.s.options.key'],
  ] as const) {
    it(`rejects a configuration that ${what}, with its path`, async () => {
      const told = await issues({ hooks });
      expect(told[0]).to.match(new RegExp(`^${path.replaceAll('.', '\\.')}: `));
      const refused = await save({ hooks }).catch((error: unknown) => error);
      expect(issuesOf(refused)).to.have.length.greaterThan(0);
      expect(await configs.read(alice)).to.include({ revision: 0 });
    });
  }

  it('accepts stricter options of enabled hooks, and bounded, redacted records', async () => {
    const options = { patterns: ['pay'], permissions: ['write', 'external'] };
    expect(await issues({ hooks: { guard: { options } } })).to.deep.equal([]);
    const audit = { type: 'audit-log', options: { redact: true, results: 500 } };
    expect(await issues({ hooks: { audit } })).to.deep.equal([]);
  });

  it('accepts a weakening if the file of the hook allows it', async () => {
    const weaker = { type: 'dangerous-confirmation', weaker: true };
    const other = await createLiveHooks({ files: [written({ 'c.json': { hooks: { weaker } } })('c.json')] });
    const over = createHookConfigs(other, memoryStore());
    await over.switch(alice, 'weaker', false);
    const { pipeline, release } = await over.lease(alice);
    expect(pipeline.hooks).to.deep.equal([]);
    release();
    await other.close();
  });

  it('rejects settings of other hosts and values that are not hooks', async () => {
    expect((await issues({ hooks: { PreToolUse: [] } }))[0]).to.match(/only a configuration file may/);
    expect((await issues({ hooks: { processes: {} } }))[0]).to.match(/only a configuration file may/);
    expect(await issues({ model: 'offline', env: ['X'], workspace: '/', hooks: {} })).to.have.members([
      'model: only a configuration file may set this field.',
      'env: only a configuration file may set this field.',
      'workspace: only a configuration file may set this field.',
    ]);
  });

  it('masks secrets in results, and keeps them when the masked form is saved', async () => {
    const options = { mode: 'hash', key: 'correct horse', known: [{ label: 'door', value: '4711-4711' }] };
    await save({ hooks: { s: { type: 'security-scan', options } } });
    const { config } = await configs.read(alice);
    expect(JSON.stringify(config)).not.to.match(/horse|4711/);
    expect(config).to.have.nested.property('hooks.s.options.key', '[hidden]');
    await save(config as object);
    const { config: compiled, release } = await configs.lease(alice);
    release();
    expect(compiled.hooks.find(({ name }) => name === 's')?.entry.options).to.deep.equal(options);
    expect(JSON.stringify(await configs.history(alice))).not.to.match(/horse|4711/);
  });

  it('recognizes masked secrets of a reordered list, and rejects an unknown one', async () => {
    const known = [
      { label: 'door', value: '4711-4711' },
      { label: 'gate', value: '0815-0815' },
    ];
    await save({ hooks: { s: { type: 'security-scan', options: { known } } } });
    const hidden = (label: string) => ({ label, value: '[hidden]' });
    await save({ hooks: { s: { type: 'security-scan', options: { known: [hidden('gate'), hidden('door')] } } } });
    const { config, release } = await configs.lease(alice);
    release();
    expect(config.hooks.find(({ name }) => name === 's')?.entry.options?.['known']).to.deep.equal([known[1], known[0]]);
    expect(
      await issues({ hooks: { s: { type: 'security-scan', options: { known: [hidden('window')] } } } }),
    ).to.deep.equal(['hooks.s.options.known[0].value: "[hidden]" has no saved secret here; write the value.']);
  });

  it('rejects names that an API path or a log line cannot contain', async () => {
    for (const name of ['.', '..', ' ', ' a', 'a ', 'a\u001b[31m', 'a\nb', 'x'.repeat(201)]) {
      const { issues } = await configs.validate(
        alice,
        JSON.stringify({ hooks: { [name]: { type: 'timing' } } }),
        'body',
      );
      expect(issues.map(({ message }) => message).join(), JSON.stringify(name)).to.include('not a name');
    }
    const fine = { hooks: { 'ask first.own': { type: 'timing' }, 'Prüfung 2': { type: 'monitor' } } };
    expect((await configs.validate(alice, JSON.stringify(fine), 'body')).issues).to.deep.equal([]);
  });

  it('rejects long lists, and properties of Object.prototype as names', async () => {
    const known = Array.from({ length: 101 }, (_, nth) => ({ label: `l${nth}`, value: `value-${nth}` }));
    expect(await issues({ hooks: { s: { type: 'security-scan', options: { known } } } })).to.deep.equal([
      'hooks.s.options.known: has 101 items; the limit outside of configuration files is 100.',
    ]);
    for (const name of ['toString', 'hasOwnProperty', '__proto__']) {
      const refused = await configs.switch(alice, name, true).catch((error: Error) => error);
      expect(refused, name).to.be.an('error').with.property('message').that.includes('There is no hook named');
    }
  });

  it('layers the JARVIS format over a base of the same format', async () => {
    const handlers = (...types: object[]) => ({ hooks: { pre_tool_use: { handlers: types } } });
    const { writeFileSync } = await import('node:fs');
    writeFileSync(live.files[0]!.source.file, JSON.stringify(handlers({ type: 'dangerous_confirmation' })));
    await live.reload();
    await save(handlers({ type: 'dangerous_confirmation', filter: { tools: ['x'] } }, { type: 'audit_log' }));
    expect(await hooksOf(alice)).to.deep.equal([
      'pre_tool_use.dangerous-confirmation',
      'pre_tool_use.dangerous-confirmation.own',
      'pre_tool_use.audit-log',
    ]);
    await configs.switch(alice, 'pre_tool_use.dangerous-confirmation.own', false);
    expect(await hooksOf(alice)).to.deep.equal(['pre_tool_use.dangerous-confirmation', 'pre_tool_use.audit-log']);
  });

  it('keeps ten revisions, restores one as a new revision, and rejects a removed one', async () => {
    for (let level = 1; level <= 12; level += 1)
      await save({ hooks: { mine: { type: 'audit-log', priority: level } } });
    expect((await configs.history(alice)).map(({ revision }) => revision)).to.deep.equal([
      12, 11, 10, 9, 8, 7, 6, 5, 4, 3,
    ]);
    expect(await configs.rollback(alice, 5)).to.deep.include({
      revision: 13,
      config: { hooks: { mine: { type: 'audit-log', priority: 5 } } },
    });
    const gone = await configs.rollback(alice, 1).catch((error: Error) => error);
    expect(gone).to.be.an('error').with.property('message').that.includes('There is no revision 1');
  });

  it("rejects a change that conflicts with another user's change", async () => {
    await save({ hooks: {} });
    const stale = await configs.save(alice, '{"hooks":{}}', 'body', { ifRevision: 0 }).catch((error: unknown) => error);
    expect(stale).to.include({ code: 'STORE_CONFLICT' });
  });

  it('starts no run if a saved layer no longer matches the files', async () => {
    await save({ hooks: { mine: { type: 'audit-log' } } });
    const { writeFileSync } = await import('node:fs');
    writeFileSync(live.files[0]!.source.file, JSON.stringify({ hooks: { mine: { type: 'dangerous-confirmation' } } }));
    await live.reload();
    const refused = await configs.lease(alice).catch((error: unknown) => error);
    expect(issuesOf(refused)?.[0]?.file).to.equal('saved for user alice');
    expect(await hooksOf({})).to.deep.equal(['mine']);
  });

  describe('with layers that another server has saved', () => {
    const [scope, user] = ['red', 'alice'];
    let lines: string[];
    beforeEach(() => {
      lines = [];
      const log = pino({ level: 'error' }, { write: (text) => void lines.push(text) });
      configs = createHookConfigs(live, store, { log });
    });
    const saved = (hooks: object, owner: object = alice) => save({ hooks }, owner);
    /** The other server knows this kind of hook. */
    const unknown = { hooks: { newer: { type: 'of-a-later-version' } } };

    it('keeps the last good one if it rejects a newer one, and logs that once', async () => {
      await saved({ mine: { type: 'audit-log' } });
      await saved({ team: { type: 'audit-log' } }, { scope });
      expect(await hooksOf({ scope, user })).to.deep.equal(['guard', 'team', 'mine']);
      expect(await hooksOf(alice)).to.deep.equal(['guard', 'mine']);
      await store.write(['configs', 'user', user], unknown);
      for (let n = 0; n < 3; n += 1) expect(await hooksOf({ scope, user })).to.deep.equal(['guard', 'team', 'mine']);
      expect(lines).to.have.lengthOf(1);
      expect(lines[0]).to.include('saved for user alice').and.include('of-a-later-version');
      expect(await hooksOf(alice)).to.deep.equal(['guard', 'mine']);
      await saved({ next: { type: 'audit-log' } });
      expect(await hooksOf({ scope, user })).to.deep.equal(['guard', 'team', 'next']);
    });

    it('starts no run without a good one', async () => {
      await store.write(['configs', 'user', user], unknown);
      for (let n = 0; n < 2; n += 1)
        expect(issuesOf(await configs.lease(alice).catch((error) => error))).to.have.lengthOf(1);
      expect(lines).to.have.lengthOf(1);
      expect(lines[0]).to.include('of-a-later-version').and.include('no run of its owner starts');
      await store.remove(['configs', 'user', user]);
      await saved({ mine: { type: 'audit-log' } });
      await hooksOf(alice);
      await store.write(['configs', 'user', user], unknown);
      const { writeFileSync } = await import('node:fs');
      writeFileSync(
        live.files[0]!.source.file,
        JSON.stringify({ hooks: { mine: { type: 'dangerous-confirmation' } } }),
      );
      await live.reload();
      const thrown = await configs.lease(alice).catch((error) => error);
      expect(issuesOf(thrown)?.[0]?.message, 'the good one no longer matches the files').to.include(
        'of-a-later-version',
      );
    });
  });

  it('explains a call with the hooks of the owner', async () => {
    await save({ hooks: { mine: { type: 'dangerous-confirmation', match: { tools: ['deploy'] } } } });
    const { notApplied, decision } = await configs.explain(alice, { tool: 'look' });
    expect(decision).to.deep.equal({ action: 'proceed' });
    expect(notApplied).to.deep.equal([
      { hook: 'mine', why: 'applies to the tools deploy' },
      { hook: 'spare', why: 'is disabled' },
      { hook: 'plugin', why: 'is disabled' },
    ]);
  });

  it('lists the available kinds, built-in and others', () => {
    const { builtin, custom } = configs.available();
    expect(builtin.map(({ name }) => name)).to.deep.equal(builtIns.map(({ name }) => name));
    expect(custom).to.deep.equal([]);
  });
});
