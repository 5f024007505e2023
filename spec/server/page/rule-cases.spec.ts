import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { folder, start } from '../../cli/hookline.ts';
import { launch, type OpenedPage, openPage } from './a-browser.ts';

const POLICY = `hooks:
  permission:
    type: permission
    options:
      allow: ["run_command(git:*)", { permission: [read] }]
      ask: ["run_command(git push:*)"]
      deny: ["Read(.env)", { tool: run_command, command: "rm:*", reason: Nothing is removed }]
  words: { type: word-filter, options: { words: [swordfish], prompts: block } }
`;
const CASES = `cases:
  - name: git runs
    call: { tool: run_command, input: { command: git status } }
    expect: allow
  - name: nobody pushes
    call: { tool: run_command, input: { command: git push } }
    expect: deny
  - name: nothing is removed
    call: { tool: run_command, input: { command: rm a } }
    expect: { action: deny, by: permission }
  - name: files are read
    call: { tool: read_file, input: { path: a } }
    expect: allow
  - name: a bad word
    prompt: swordfish
    expect: abort
`;

describe('the cases of a rule on the page', () => {
  let browser: Browser;
  const ends: (() => unknown)[] = [];
  before(async function () {
    browser = await launch(this);
  });
  afterEach(() => {
    for (const end of ends.splice(0)) end();
  });
  after(() => browser?.close());

  /** Starts `hookline inspect` with this policy, and opens its hooks. */
  async function opened(files: Record<string, string>): Promise<{ page: OpenedPage; cwd: string }> {
    const cwd = folder(files);
    const args = ['--config', 'hookline.yaml', '--port', '0', '--state', join(cwd, 'state'), '--json'];
    const child = start(['inspect', ...args], { cwd, env: { XDG_STATE_HOME: join(cwd, 'xdg') } });
    ends.push(() => child.kill('SIGKILL'));
    for await (const text of createInterface({ input: child.stdout! })) {
      const { event, url } = JSON.parse(text);
      if (event !== 'inspecting') continue;
      const page = await openPage(browser, `${url}&go=/hooks`);
      ends.push(() => page.context().close());
      return { page, cwd };
    }
    throw new Error('it ended');
  }

  const expand = async (page: OpenedPage, hook: string) => page.getByRole('button', { name: hook }).first().click();
  const casesOf = async (page: OpenedPage, rule: string) =>
    page
      .getByRole('list', { name: `Cases of ${rule}`, exact: true })
      .getByRole('listitem')
      .allTextContents();

  it('are listed with their results, also those of a rule as an object', async () => {
    const { page, cwd } = await opened({ 'hookline.yaml': POLICY, 'hookline.cases.yaml': CASES });
    await expand(page, 'permission');
    const rules = page.getByRole('list', { name: 'Rules and their cases' });
    await rules.waitFor();
    expect(await casesOf(page, 'run_command(git:*)')).to.deep.equal([
      'passed git runs allow · run_command {"command":"git status"} · hookline.cases.yaml:2',
    ]);
    const [pushed] = await casesOf(page, 'run_command(git push:*)');
    expect(pushed)
      .to.match(/^failed nobody pushes ask · /)
      .and.match(/expected deny, got ask by permission/);
    const object = '{"tool":"run_command","command":"rm:*","reason":"Nothing is removed"}';
    expect((await casesOf(page, object))[0]).to.match(/^passed nothing is removed deny · /);
    expect((await casesOf(page, '{"tool":"*","permission":["read"]}'))[0]).to.match(/^passed files are read allow · /);
    const unreached = rules.getByRole('listitem').filter({ hasText: 'No case reaches this rule.' });
    expect(await unreached.allTextContents()).to.have.lengthOf(1);
    expect(await unreached.textContent()).to.match(/^Read\(\.env\) hookline\.yaml:\d+No case/);
    await expand(page, 'words');
    expect(
      await page.getByRole('list', { name: 'Cases of this hook' }).getByRole('listitem').allTextContents(),
    ).to.deep.equal(['passed a bad word abort · prompt: "swordfish" · hookline.cases.yaml:14']);
    writeFileSync(join(cwd, 'hookline.cases.yaml'), CASES.replace('expect: deny', 'expect: ask'));
    await page.reload();
    await expand(page, 'permission');
    await page.getByText('passed nobody pushes').or(page.getByText('nobody pushes')).first().waitFor();
    expect((await casesOf(page, 'run_command(git push:*)'))[0]).to.match(/^passed nobody pushes ask · /);
    expect(page.errors).to.deep.equal([]);
  });

  it('are not shown without files of cases; an invalid file is reported', async () => {
    const { page, cwd } = await opened({ 'hookline.yaml': POLICY, 'hookline.cases.yaml': 'cases: 7\n' });
    await expand(page, 'permission');
    await page.getByText(/The cases cannot be run: .*hookline\.cases\.yaml:1:8/).waitFor();
    rmSync(join(cwd, 'hookline.cases.yaml'));
    const answered = page.waitForResponse(/api\/hooks\/cases/);
    await page.reload();
    await answered;
    await expand(page, 'permission');
    await page.getByText('From the configuration files').waitFor();
    expect(await page.getByText(/The cases|Rules and their cases|No case/).count()).to.equal(0);
    expect(page.errors).to.deep.equal([]);
  });
});
