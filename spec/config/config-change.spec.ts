import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { createLiveHooks, type LiveHooks } from 'hookline/config';
import { claudeHooks } from 'hookline/process-hooks';
import { written } from './read.ts';

const AUDIT = { type: 'audit-log' };

describe('ConfigChange hooks of Claude Code settings', () => {
  const open: LiveHooks[] = [];
  afterEach(() => Promise.all(open.splice(0).map((live) => live.close())));

  /** Live hooks with one handler from a settings file next to the configuration. `change` saves over that file. */
  async function scene(handler: object, { matcher = '', files = {}, entry = {} } = {}) {
    const settings = { hooks: { ConfigChange: [{ matcher, hooks: [{ type: 'command', ...handler }] }] } };
    const claude = { type: 'command', options: { settings: './settings.json' }, ...entry };
    const at = written({ 'c.json': { hooks: { claude } }, 'settings.json': settings, ...files });
    const live = await createLiveHooks({ files: [at('c.json')], host: { workspace: at('.') } });
    open.push(live);
    return {
      at,
      live,
      names: () => live.config.hooks.map(({ name }) => name),
      change(hooks: object = { claude, audit: AUDIT }) {
        writeFileSync(at('c.json'), JSON.stringify({ hooks }));
        return live.reload();
      },
    };
  }
  const issuesOf = (result: Awaited<ReturnType<LiveHooks['reload']>>) =>
    result.type === 'refused' ? result.issues.map(({ path, message }) => [path.join('.'), message]) : result.type;

  for (const [how, command] of [
    ['exits with 2', 'echo not today >&2; exit 2'],
    ['prints a block', `echo '{"decision":"block","reason":"not today"}'`],
    ['prints continue: false', `echo '{"continue":false,"stopReason":"not today"}'`],
  ])
    it(`keeps the current configuration if a hook ${how}, and reports why`, async () => {
      const { live, change, names } = await scene({ command });
      const reason = [['hooks.claude', 'it denies the change of the configuration: not today']];
      expect(issuesOf(await change())).to.deep.equal(reason);
      expect(names()).to.deep.equal(['claude']);
      expect(live.refused.map(({ path, message }) => [path.join('.'), message])).to.deep.equal(reason);
      expect(issuesOf(await change({ audit: AUDIT })), 'also where the guard itself is removed').to.deep.equal(reason);
    });

  it('passes the changed file to hooks, and allows the change without a decision', async () => {
    const { at, change, names } = await scene({ command: 'cat > told.json' }, { matcher: 'project_settings' });
    expect(await change()).to.include({ type: 'reloaded', generation: 2 });
    expect(names()).to.deep.equal(['claude', 'audit']);
    expect(JSON.parse(readFileSync(at('told.json'), 'utf8'))).to.include({
      hook_event_name: 'ConfigChange',
      source: 'project_settings',
      file_path: at('c.json'),
    });
  });

  it('passes a changed settings file to the previous handlers', async () => {
    const { at, live } = await scene({ command: 'cat > told.json; exit 2' });
    writeFileSync(at('settings.json'), '{"hooks":{}}');
    expect(issuesOf(await live.reload())).to.deep.equal([
      ['hooks.claude', 'it denies the change of the configuration: The hook gave no reason.'],
    ]);
    expect(JSON.parse(readFileSync(at('told.json'), 'utf8'))['file_path']).to.equal(at('settings.json'));
  });

  it('reports a matcher that never matches', () => {
    const ConfigChange = [{ matcher: 'user_settings', hooks: [{ type: 'command' as const, command: 'exit 2' }] }];
    const told: string[] = [];
    claudeHooks({ hooks: { ConfigChange } }, { onDiagnostic: ({ message }) => told.push(message) });
    expect(told).to.deep.equal([
      'the settings has hooks for ConfigChange that never run: their matcher is "user_settings", and changes come here as project_settings.',
    ]);
  });

  it('does not run for invalid or unchanged configurations', async () => {
    const { at, change, live } = await scene({ command: 'touch asked' });
    expect(await live.reload()).to.include({ type: 'unchanged' });
    expect(await change({ audit: { type: 'audti-log' } })).to.include({ type: 'refused' });
    expect(existsSync(at('asked'))).to.equal(false);
  });

  it('runs before a new module', async () => {
    const module = `require('node:fs').writeFileSync(__dirname + '/ran', ''); module.exports = [];`;
    const { at, change } = await scene({ command: 'exit 2' }, { files: { 'hook.js': module } });
    await change({ own: { type: 'module', path: './hook.js' } });
    expect(existsSync(at('ran'))).to.equal(false);
  });

  describe('if the configuration uses kinds of a module', () => {
    const kinds = (description: string) => `
      require('node:fs').appendFileSync(__dirname + '/ran', '.');
      const { defineHook } = require('hookline');
      const { z } = require('zod');
      const create = ({ max }) => defineHook({ name: 'x', description: '${description} ' + max, observe() {} });
      module.exports = { name: 'limit', description: '', events: [], optionsSchema: z.strictObject({ max: z.number() }), create };
    `;
    const USES = { kinds: { type: 'module', path: './kinds.js' }, mine: { type: 'limit', options: { max: 2 } } };
    const ASK = `printf 'asked ' >> ran`;
    const ran = (at: (name: string) => string): string =>
      existsSync(at('ran')) ? readFileSync(at('ran'), 'utf8') : '';
    const described = async (live: LiveHooks): Promise<readonly (string | undefined)[]> => {
      const { pipeline, release } = await live.lease();
      release();
      return pipeline.hooks.flatMap(({ name, description }) => (name === 'mine' ? [description] : []));
    };

    it('runs before that module is loaded', async () => {
      const { at, change, names } = await scene(
        { command: `${ASK}; exit 2` },
        { files: { 'kinds.js': kinds('up to') } },
      );
      expect(await change(USES)).to.include({ type: 'refused' });
      expect([ran(at), names()]).to.deep.equal(['asked ', ['claude']]);
    });

    it('runs once, and the kinds are checked after it', async () => {
      const { at, live, change, names } = await scene({ command: ASK }, { files: { 'kinds.js': kinds('up to') } });
      const wrong = { ...USES, mine: { type: 'limit', options: { mx: 2 } } };
      expect(issuesOf(await change(wrong))).to.deep.equal([
        ['hooks.mine.options.max', 'is missing: expected number.'],
        ['hooks.mine.options.mx', 'unknown key. Did you mean "max"?'],
      ]);
      expect([ran(at), names()]).to.deep.equal(['asked .', ['claude']]);
      expect(await change(USES)).to.include({ type: 'reloaded' });
      expect([ran(at), names()]).to.deep.equal(['asked .asked ', ['kinds', 'mine']]);
      expect(await described(live)).to.deep.equal(['up to 2']);
    });

    it('runs before a changed module is loaded', async () => {
      const claude = { type: 'command', options: { settings: './settings.json' } };
      const { at, live, change } = await scene(
        { command: `${ASK}; test ! -e no || exit 2` },
        { files: { 'kinds.js': kinds('up to') } },
      );
      expect(await change({ claude, ...USES })).to.include({ type: 'reloaded' });
      writeFileSync(at('no'), '');
      writeFileSync(at('kinds.js'), kinds('at most'));
      expect(await live.reload()).to.include({ type: 'refused' });
      expect([ran(at), await described(live)]).to.deep.equal(['asked .asked ', ['up to 2']]);
      expect(live.watched).to.include(at('kinds.js'));
      rmSync(at('no'));
      expect(await live.reload()).to.include({ type: 'reloaded' });
      expect([ran(at), await described(live)]).to.deep.equal(['asked .asked asked .', ['at most 2']]);
      expect(await live.reload(), 'nothing new').to.include({ type: 'unchanged' });
    });

    it('runs again for files that change while it runs', async () => {
      const { at, change } = await scene(
        { command: `${ASK}; if grep -q up kinds.js; then sed -i s/up/down/ kinds.js; else exit 2; fi` },
        { files: { 'kinds.js': kinds('up to') } },
      );
      expect(await change(USES)).to.include({ type: 'refused' });
      expect(ran(at)).to.equal('asked asked ');
    });

    it('does not run if other hooks are invalid', async () => {
      const { at, change } = await scene({ command: ASK }, { files: { 'kinds.js': kinds('up to') } });
      const audit = { type: 'audit-log', options: { fil: 'x' } };
      expect(issuesOf(await change({ ...USES, audit }))).to.deep.equal([
        ['hooks.audit.options.fil', 'unknown key. Did you mean "file"?'],
      ]);
      expect(ran(at)).to.equal('');
    });
  });

  it('allows a change if a hook fails, unless failures block', async () => {
    const open = await scene({ command: 'exit 1' });
    expect(await open.change()).to.include({ type: 'reloaded' });
    const closed = await scene({ command: 'exit 1', onFailure: 'block' });
    expect(issuesOf(await closed.change())).to.deep.equal([
      ['hooks.claude', 'it denies the change of the configuration: Hook "exit 1" exited with 1.'],
    ]);
    const entry = await scene({ command: 'sleep 60', timeout: 0.2 }, { entry: { onFailure: 'block' } });
    expect(issuesOf(await entry.change())).to.deep.equal([
      ['hooks.claude', 'it denies the change of the configuration: Hook "sleep 60" did not end within 200 ms.'],
    ]);
  });

  it('is not awaited when the hooks are closed', async () => {
    const { at, live, change } = await scene({ command: 'touch asked; sleep 600' });
    const changed = change();
    for (let waits = 0; !existsSync(at('asked')); waits += 1) {
      expect(waits, 'waits for the handler').to.be.lessThan(1_000);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await live.close();
    await changed;
  });
});
