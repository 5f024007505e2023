import { expect } from 'chai';
import {
  createHookConfigs,
  createLiveHooks,
  formatPath,
  type LoadedConfig,
  loadConfig,
  memoryStore,
} from 'hookline/config';
import { written } from './read.ts';

const floor = {
  'audit-log': { type: 'audit-log' },
  'dangerous-confirmation': { type: 'dangerous-confirmation', options: { askBy: 'suspend' } },
};
const [AUDIT, GUARD] = ['audit-log', 'dangerous-confirmation'];

function load(files: readonly unknown[], allowWeaker = false): LoadedConfig {
  const at = written(Object.fromEntries(files.map((file, nth) => [`${nth}.json`, file])));
  return loadConfig(
    files.map((_, nth) => at(`${nth}.json`)),
    { floor, allowWeaker },
  );
}

/** Enabled hooks of the floor with their original options. */
const kept = ({ config }: LoadedConfig): string[] =>
  config.hooks.flatMap(({ name, entry }) => {
    const first = floor[name as keyof typeof floor];
    return first && JSON.stringify(entry) === JSON.stringify(first) ? [name] : [];
  });
const told = ({ notices }: LoadedConfig) => notices.map(({ path }) => formatPath(path));

/** All ways of a file to disable a hook that is always on. */
const ways = (type: string): readonly object[] => [
  { type, enabled: false },
  { type, match: { tools: ['deploy'] } },
  { type, match: { agents: ['other'] } },
  { type, phase: 'tool_skip' },
  { type, priority: 900 },
  { type, onFailure: 'skip', timeoutMs: 1 },
  {
    type,
    options: type === GUARD ? { permissions: [] } : { file: '/dev/null', args: false, redact: false },
  },
];
const types = [AUDIT, GUARD] as string[];

describe('a hook that is always on', () => {
  for (const type of types)
    for (const way of ways(type)) {
      it(`remains next to another hook of its kind: ${JSON.stringify(way)}`, () => {
        const loaded = load([{ hooks: { scan: { type: 'security-scan' } } }, { hooks: { mine: way } }]);
        expect(kept(loaded)).to.deep.equal(types);
        expect(loaded.config.hooks.map(({ name }) => name)).to.include('mine');
        const [off, judges] = ['enabled' in way, type === GUARD];
        expect(told(loaded)).to.deep.equal(off || judges ? ['hooks.mine'] : []);
        expect(loaded.config.written.hooks).to.have.all.keys('scan', 'mine');
      });

      it(`is not weakened under its own name: ${JSON.stringify(way)}`, () => {
        const { type: _, ...members } = way as { type: string };
        for (const entry of [way, members]) {
          const loaded = load([{ hooks: { [type]: entry } }]);
          expect(loaded.issues).to.deep.equal([]);
          expect(kept(loaded), JSON.stringify(loaded.config.hooks[0]?.entry)).to.deep.equal(types);
          expect(loaded.notices).to.have.lengthOf.at.least(1);
          for (const { message } of loaded.notices) expect(message).to.match(/^has no effect: "[a-z-]+" is always on;/);
        }
      });

      it(`is weakened with weaker: true in the same file, with a notice: ${JSON.stringify(way)}`, () => {
        for (const file of [
          { hooks: { [type]: { ...way, weaker: true } } },
          { weaker: true, hooks: { [type]: way } },
        ]) {
          const loaded = load([file]);
          expect(kept(loaded)).to.deep.equal(types.filter((one) => one !== type));
          expect(loaded.notices.map(({ message }) => message)).to.include(`weakens "${type}", which is always on.`);
        }
      });

      it(`follows the same rules after a file that adds to it, and with --allow-weaker: ${JSON.stringify(way)}`, () => {
        const adds = { hooks: { [type]: { onFailure: 'block' } } };
        const of = ({ config }: LoadedConfig) => config.hooks.find(({ name }) => name === type)?.entry;
        const tightened = of(load([adds]));
        expect(tightened).to.have.property('type', type);
        for (const allowWeaker of [false, true]) {
          expect(kept(load([{ hooks: { [type]: way } }], allowWeaker))).to.deep.equal(types);
          const refused = load([adds, { hooks: { [type]: way } }], allowWeaker);
          expect(of(refused)).to.deep.equal(tightened);
          expect(refused.notices).to.have.lengthOf.at.least(1);
          for (const { message } of refused.notices)
            expect(message).to.match(/^has no effect: "[a-z-]+" is always on;/);
          const weakened = load([adds, { hooks: { [type]: { ...way, weaker: true } } }], allowWeaker);
          expect(of(weakened)).not.to.deep.equal(tightened);
          expect(weakened.notices.map(({ message }) => message)).to.include(`weakens "${type}", which is always on.`);
        }
      });
    }

  it('remains if phases of JARVIS, or all of it, are disabled', () => {
    const handlers = [{ type: 'dangerous_confirmation', filter: { tools: ['write_file'] } }, { type: 'audit_log' }];
    for (const plan of [
      { hooks: { enabled: false, pre_tool_use: { handlers } } },
      { enabled: false, hooks: { pre_tool_use: { handlers } } },
      { hooks: { pre_tool_use: { enabled: false, handlers } } },
      { hooks: { pre_tool_use: { handlers } } },
    ]) {
      const loaded = load([plan]);
      expect(kept(loaded)).to.deep.equal(types);
      expect(loaded.notices).to.have.lengthOf(JSON.stringify(plan).includes('false') ? 2 : 1);
    }
  });

  it('may be tightened, and ignores defaults of a file', () => {
    const loaded = load([
      { defaults: { onFailure: 'skip', timeoutMs: 1 }, hooks: { [GUARD!]: { options: { patterns: ['pay'] } } } },
    ]);
    expect(loaded.notices).to.deep.equal([]);
    const guard = loaded.config.hooks.find(({ name }) => name === GUARD)!;
    expect(guard.entry.options).to.deep.equal({ askBy: 'suspend', patterns: ['pay'] });
    expect(guard.defaults).to.deep.equal({});
  });

  it('remains under layers of users, in both formats', async () => {
    const file = written({ 'c.json': { hooks: { ready: { type: GUARD, enabled: false } } } })('c.json');
    const live = await createLiveHooks({ files: [file], floor });
    const configs = createHookConfigs(live, memoryStore());
    const owner = { user: 'ann' };
    for (const way of ways(GUARD!)) {
      const refused = await configs.save(owner, JSON.stringify({ hooks: { [GUARD!]: way } }), 'body').then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(refused, JSON.stringify(way)).to.have.property('code', 'CONFIG_INVALID');
    }
    const off = { hooks: { enabled: false, pre_tool_use: { handlers: [{ type: GUARD }, { type: AUDIT }] } } };
    for (const layer of [{ hooks: { mine: { type: GUARD, match: { tools: ['x'] } } } }, off]) {
      await configs.save(owner, JSON.stringify(layer), 'body');
      const { pipeline, release } = await configs.lease(owner);
      expect(pipeline.hooks.map(({ name }) => name)).to.include.members(types);
      release();
    }
    await live.close();
  });
});
