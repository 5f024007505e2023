import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { createAgent, createPipeline } from 'hookline';
import { scriptedModel, scriptedTool } from 'hookline/testing';
import type { Browser } from 'playwright-core';
import { folder, start } from '../../cli/hookline.ts';
import { recordingFileIn, recordingIn } from '../../replay/recording-in.ts';
import { launch, type OpenedPage, openPage } from './a-browser.ts';
import { head, line } from './a-recording.ts';

const rules = (options: string) => `hooks:\n  rules: { type: permission, options: { ${options} } }\n`;
const FITS = 'Past this point the recording no longer fits.';

describe('a recording beside its replay', () => {
  let browser: Browser;
  let cwd: string;
  const ends: (() => unknown)[] = [];

  before(async function () {
    browser = await launch(this);
    const { folder: recordings, recorder } = recordingIn();
    const call = (command: string) => ({ text: 'I run it.', toolCalls: [{ name: 'run_command', input: { command } }] });
    const agent = createAgent({
      name: 'main',
      model: scriptedModel([call('npm test'), call('npm publish'), 'Done.']),
      tools: [scriptedTool({ name: 'run_command', permission: 'external', result: 'ok' })],
      pipeline: createPipeline([recorder]),
    });
    await agent.call('Publish it.');
    cwd = folder({
      'same.yaml': rules('allow: ["*"]'),
      'new.yaml': rules('allow: ["*"], deny: ["run_command(npm publish:*)"]'),
    });
    mkdirSync(join(cwd, 'runs'));
    copyFileSync(recordingFileIn(recordings), join(cwd, 'runs', 'run.jsonl'));
  });
  afterEach(() => {
    for (const end of ends.splice(0)) end();
  });
  after(() => browser?.close());

  /** Starts `hookline inspect` and returns the address of its page. */
  async function inspect(...args: string[]): Promise<string> {
    const child = start(['inspect', ...args, '--json', '--preset', 'none'], { cwd });
    ends.push(() => child.kill('SIGKILL'));
    for await (const text of createInterface({ input: child.stdout! })) return JSON.parse(text).url;
    throw new Error('it ended');
  }

  async function opened(url: string): Promise<OpenedPage> {
    const page = await openPage(browser, url);
    ends.push(() => page.context().close());
    return page;
  }

  const rowsOf = async (page: OpenedPage) => {
    await page.getByRole('option').first().waitFor();
    return page.getByRole('option').allTextContents();
  };

  it('marks the events that differ, and the point from which the recording no longer fits', async () => {
    const page = await opened(await inspect('runs/run.jsonl', '--config', 'new.yaml'));
    await page.getByText('Beside its replay').waitFor();
    const rows = await rowsOf(page);
    const parting = rows.indexOf(FITS);
    const differing = rows.flatMap((row, at) => (/different/.test(row) ? [at] : []));
    expect(parting).to.be.greaterThan(5);
    expect(differing[0]).to.equal(parting - 1);
    expect(rows[parting - 1]).to.match(/^preActing passedrun_commandpreActing refusedrun_commanddifferent$/);
    expect(rows.slice(0, parting - 1).join())
      .to.include('preActing')
      .and.not.include('different');
    expect(rows.filter((row) => row === FITS)).to.have.lengthOf(1);
    // The first difference is selected.
    const details = page.getByLabel('Details');
    const difference = await page.getByRole('region', { name: 'Difference' }).textContent();
    expect(difference).to.include('Different by rules').and.include('decision').and.include('deny');
    expect(await details.locator('.event-detail').count()).to.equal(2);
    const [recorded, replayed] = await details.locator('.event-detail').allTextContents();
    expect(recorded).to.not.include('Decided');
    expect(replayed).to.include('Decided').and.include('deny by rules');
    await page.keyboard.press('n');
    expect(await page.getByRole('option', { selected: true }).textContent()).to.match(/^postActing.*different$/);
    await page.keyboard.press('p');
    expect(await page.getByRole('option', { selected: true }).textContent()).to.match(/^preActing.*different$/);
    await page.getByRole('button', { name: 'Recording', exact: true }).click();
    await page.getByLabel('Filter events').waitFor();
    expect(page.errors).to.deep.equal([]);
  });

  it('reports that nothing differs, and replays each recording of a folder', async () => {
    copyFileSync(join(cwd, 'runs/run.jsonl'), join(cwd, 'runs/again.jsonl'));
    const page = await opened(await inspect('runs', '--config', 'same.yaml'));
    await page.getByRole('link', { name: /again\.jsonl/ }).click();
    await page.getByText('The replay has the same events.').waitFor();
    const rows = await rowsOf(page);
    expect(rows.join()).to.not.include('different').and.not.include(FITS);
    const [left, right] = [/^(\w+)/, /(preCall|preReasoning|postReasoning|preActing|postActing|postCall)/g];
    for (const row of rows) expect(row.match(right), row).to.deep.equal(Array(2).fill(left.exec(row)?.[1]));
    expect(page.errors).to.deep.equal([]);
  });

  it('reports a recording that cannot be replayed, and shows the recording', async () => {
    const run = { runId: 'big', sessionId: 's', agent: 'writer', depth: 0 };
    const broken = line({ seq: 0, time: 1, type: 'preCall', run, iteration: 0, messages: [] });
    writeFileSync(join(cwd, 'broken.jsonl'), `${head()}${broken}nonsense\n${broken}`);
    const page = await opened(await inspect('broken.jsonl', '--config', 'same.yaml'));
    await page.getByText(/line 3/).waitFor();
    await page.getByRole('option').first().waitFor();
    expect(await page.getByText('Beside its replay').count()).to.equal(0);
    expect(await page.getByRole('option').count()).to.equal(1);
  });

  it('replays nothing without hooks', async () => {
    const child = start(['inspect', 'runs/run.jsonl', '--json'], { cwd });
    ends.push(() => child.kill('SIGKILL'));
    let url = '';
    for await (const text of createInterface({ input: child.stdout! })) {
      url = JSON.parse(text).url;
      break;
    }
    const page = await opened(url);
    await page.getByLabel('Filter events').waitFor();
    expect(await page.getByText('Beside its replay').count()).to.equal(0);
    expect(page.errors).to.deep.equal([]);
  });
});
