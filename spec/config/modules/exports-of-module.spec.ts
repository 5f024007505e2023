import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { type ConfigChange, createLiveHooks, formatIssues, issuesOf, loadConfigAndKinds } from 'hookline/config';
import { written } from '../read.ts';

const { setTimeout: usual } = globalThis;

/** Waits for `settled`, which tests set. */
const SLOW = 'await globalThis.settled; export default () => { globalThis.created = true; return []; };';
const USES = { hooks: { slow: { type: 'module', path: './slow.mjs' } } };
const LATE = './slow.mjs did not finish within 30 s. Check it for an await that never settles.';

const thrownBy = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing',
    (error: unknown) => formatIssues(issuesOf(error) ?? []).join(),
  );

describe('a module that never finishes loading', () => {
  const shared = globalThis as { settled?: Promise<unknown> | undefined; created?: boolean | undefined };

  beforeEach(() => {
    shared.settled = new Promise(() => {});
    // 30 s take 50 ms.
    globalThis.setTimeout = ((act: () => void, ms?: number) => usual(act, ms === 30_000 ? 50 : ms)) as never;
  });
  afterEach(() => {
    globalThis.setTimeout = usual;
    delete shared.settled;
    delete shared.created;
  });

  it('is an issue of its hook after 30 s', async () => {
    const file = written({ 'c.json': USES, 'slow.mjs': SLOW })('c.json');
    expect(await thrownBy(createLiveHooks({ files: [file] }))).to.equal(
      `${file}:3:5 hooks.slow: the module cannot be loaded: ${LATE}`,
    );
  });

  it('is an issue of its path if a file uses a kind that it may export', async () => {
    const hooks = { ...USES.hooks, mine: { type: 'call-limit' } };
    const { issues } = await loadConfigAndKinds([written({ 'c.json': { hooks }, 'slow.mjs': SLOW })('c.json')]);
    expect(formatIssues(issues).join()).to.include(`hooks.slow.path: the module cannot be loaded: ${LATE}`);
  });

  it('is an issue if the function that it exports never returns its hooks', async () => {
    const source = 'export default () => globalThis.settled;';
    const file = written({ 'c.json': USES, 'slow.mjs': source })('c.json');
    expect(await thrownBy(createLiveHooks({ files: [file] }))).to.include(`its default export failed: ${LATE}`);
  });

  it('leaves the previous configuration in force, and is in force itself when it has finished and is read again', async () => {
    const at = written({ 'c.json': { hooks: { a: { type: 'audit-log' } } }, 'slow.mjs': SLOW });
    const live = await createLiveHooks({ files: [at('c.json')] });
    const changes: ConfigChange[] = [];
    live.changes$.subscribe((change) => changes.push(change));
    let settle: (value?: unknown) => void = () => {};
    shared.settled = new Promise((resolve) => {
      settle = resolve;
    });
    writeFileSync(at('c.json'), JSON.stringify(USES));
    await live.reload();
    expect(changes.map(({ type }) => type)).to.deep.equal(['refused']);
    expect(formatIssues(live.refused).join()).to.include(`hooks.slow: the module cannot be loaded: ${LATE}`);
    expect(live.config.hooks.map(({ name }) => name)).to.deep.equal(['a']);
    settle();
    globalThis.setTimeout = usual;
    await new Promise((resolve) => usual(resolve, 20));
    expect(shared.created).to.equal(undefined);
    expect(await live.reload()).to.deep.include({ type: 'reloaded', generation: 2 });
    expect(shared.created).to.equal(true);
    await live.close();
  });
});
