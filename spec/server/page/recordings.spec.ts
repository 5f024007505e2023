import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createHookConfigs, createLiveHooks, memoryStore } from 'hookline/config';
import { createServer, createTokens, listen, openRecordings, recordingRoutes } from 'hookline/server';
import type { Browser } from 'playwright-core';
import { tempFolder } from '../../temp-folder.ts';
import { launch, type OpenedPage, openPage } from './a-browser.ts';
import { head, line, longRecording } from './a-recording.ts';
import { aScreen, type Screen } from './a-screen.ts';

const STORY = 'Write the release notes and put them online.';

describe('a recording shown on the page', () => {
  let browser: Browser;
  let screen: Screen;
  let page: OpenedPage;
  before(async function () {
    browser = await launch(this);
    screen = await aScreen();
  });
  beforeEach(async () => {
    page = await openPage(browser, `${screen.listening.url}/#/file`);
  });
  afterEach(async () => {
    expect(page.errors).to.deep.equal([]);
    await page.context().close();
  });
  after(async () => {
    await browser?.close();
    await screen?.close();
  });

  const open = (text: string, name = 'run.jsonl') =>
    page.setInputFiles('input[type=file]', { name, mimeType: 'application/jsonl', buffer: Buffer.from(text) });
  /** Returns the text of the list of events, from top to bottom. */
  const listed = async (of: OpenedPage) => {
    await of.locator('.lane-label', { hasText: 'postCall1' }).waitFor();
    // A run that was active when opened is shown at its end.
    await of.keyboard.press('Home');
    await of.locator('[role=option][aria-posinset="1"]').waitFor();
    return of.getByRole('option').allTextContents();
  };

  it('looks like its run, including hooks and differences', async () => {
    const url = await screen.urlOf();
    const run = await screen.start(STORY);
    await screen.eventsOf(run);
    const live = await openPage(browser, url);
    await live.goto(`${screen.listening.url}/#/runs/${run}`);
    const asRun = await listed(live);
    await open(await (await screen.get(url, `/api/runs/${run}/recording`)).text());
    const asFile = await listed(page);
    expect(asRun).to.have.length.above(12);
    // The length of the list depends on the available space.
    const most = Math.min(asRun.length, asFile.length);
    expect(asFile.slice(0, most)).to.deep.equal(asRun.slice(0, most));
    for (const one of [live, page]) {
      await one.getByLabel('Filter events').fill('tool:read_file type:preacting');
      await one.getByRole('option').first().click();
    }
    expect(await page.locator('.chain').textContent()).to.equal(await live.locator('.chain').textContent());
    expect(await page.locator('.chain').textContent()).to.include('path-jail');
    await live.context().close();
  });

  it('is saved from a run', async () => {
    const url = await screen.urlOf();
    const run = await screen.start(STORY);
    await screen.eventsOf(run);
    // One navigation: the page would miss a token if the address changes before it is read.
    await page.goto(`${url}&go=/runs/${run}`);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    expect((await saved).suggestedFilename()).to.equal(`${run}.jsonl`);
  });

  it('reports its error, and shows the valid part', async () => {
    const [first, second, third] = longRecording(60).split('\n').slice(1) as [string, string, string];
    const cases: readonly (readonly [string, RegExp, number])[] = [
      [`${head()}${first}\n${second}\n${third.slice(0, 40)}`, /truncated: its last line is incomplete/, 2],
      [`${head()}${first}\n${second}\n`, /ends before its run/, 2],
      [head({ version: 2 }), /has version 2, .* reads version 1 /, 0],
      [head({ events: 9 }), /events of version 9/, 0],
      ['{"level":30,"msg":"started"}\n', /Line 1 is not the header of a recording/, 0],
      ['# Changelog\n\n- something\n', /Line 1 is not JSON.*recorder/, 0],
      [`${head()}${first}\nnonsense\n${second}\n`, /Line 3 is not JSON. The page shows all lines before it/, 1],
      [`${head()}${first}\n${line({ type: 'preCall' })}`, /Line 3 is not an event/, 1],
      ['', /The file is empty/, 0],
      [head(), /contains no events/, 0],
    ];
    for (const [at, [text, why, events]] of cases.entries()) {
      if (at > 0) await page.reload();
      await open(text);
      const error = await page.getByRole('alert').textContent();
      expect(error).to.match(why);
      expect(await page.getByRole('option').count(), error ?? '').to.equal(events);
    }
  });

  it('ends at the first invalid event, and omits invalid hook steps', async () => {
    const run = { runId: 'r', sessionId: 's', agent: 'a', depth: 0 };
    const lies = [
      { type: 'preCall', messages: 7 },
      { type: 'postReasoning', message: { role: 'assistant', parts: [{ type: 'text', text: { a: 1 } }] } },
      { type: 'postActing', toolCall: null, result: null },
      { type: 'error', error: null },
      { type: 'reasoningChunk', delta: 5 },
      { type: 'toString' },
      { type: 'postCall', outcome: 'completed', usage: {} },
      { type: 'postCall', outcome: 'completed', reason: 7 },
      { type: 'postCall', outcome: 'completed', run: { ...run, resumedFrom: 7 } },
      { type: 'postCall', outcome: 'completed', run: { ...run, userId: {} } },
    ];
    const settled = (event: object, seq: number) => ({ run, ...event, seq, time: seq, iteration: 0 });
    const first = line(settled({ type: 'postCall', outcome: 'completed', decision: 7 }, 0), [
      null,
      { hook: 5 },
      'x',
    ] as object[]);
    for (const [at, lie] of lies.entries()) {
      if (at > 0) await page.reload();
      await open(head() + first + line(settled(lie, 1)));
      expect(await page.getByRole('alert').textContent()).to.include('Line 3 is not an event');
      for (const key of ['j', 'c', 'k', 'o']) await page.keyboard.press(key);
      expect(await page.getByRole('option').count()).to.equal(1);
    }
  });

  it('shows misleading characters by name in every field', async () => {
    const evil = 'a\u202eb';
    const run = { runId: evil, sessionId: evil, agent: evil, depth: 0, userId: evil };
    const step = { hook: evil, priority: 1, stage: 'on', effect: 'decided', decision: evil, reason: evil, ms: 1 };
    const steps = [
      step,
      { ...step, effect: 'changed', paths: [evil] },
      { ...step, stage: evil },
      { ...step, effect: evil },
    ];
    const told = { run, time: 0, iteration: 0, decision: { action: evil, by: evil, reason: evil } };
    const notes = [{ by: evil, code: evil, message: evil }];
    const parts = [{ type: 'text', text: evil }];
    const message = { role: 'user', parts, origin: evil };
    const events = [
      { type: 'preCall', messages: [message] },
      {
        type: 'postActing',
        toolCall: { id: evil, name: evil, input: { [evil]: evil } },
        result: { content: evil },
        outcome: evil,
      },
      { type: 'error', source: evil, error: { name: evil, message: evil, code: evil } },
      { type: 'postCall', outcome: evil, reason: evil },
    ];
    await open(head() + events.map((event, seq) => line({ ...told, ...event, notes, seq }, steps)).join(''));
    await page.getByRole('option').first().waitFor();
    expect(await page.getByRole('option').count()).to.equal(events.length);
    for (const key of ['j', 'j', 'j', 'j', 'c']) {
      await page.keyboard.press(key);
      await page.getByText('U+202E').first().waitFor();
      const all = await page.evaluate<string>(
        `document.body.textContent + document.title + [...document.querySelectorAll('*')].flatMap((one) => one.getAttributeNames().map((name) => one.getAttribute(name))).join()`,
      );
      expect(all).to.not.include('\u202e');
    }
  });

  it('renders collapsed content only when expanded', async () => {
    const input = { a: { b: { c: Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`key${at}`, at])) } } };
    const event = { type: 'preActing', toolCall: { id: '1', name: 't', input }, seq: 0, time: 0, iteration: 0 };
    await open(head() + line({ ...event, run: { runId: 'r', sessionId: 's', agent: 'a', depth: 0 } }));
    await page.getByRole('option').first().click();
    const folded = page.locator('.json-fold').last();
    await folded.waitFor();
    expect(await page.locator('.json-line').count()).to.be.below(100);
    const inner = async () => page.locator('.json-fold').count();
    for (let count = 0; count !== (await inner()); ) {
      count = await inner();
      await page
        .locator('.json-fold summary')
        .nth(count - 1)
        .click();
      await page
        .locator('.json-fold')
        .nth(count - 1)
        .locator('.json-line')
        .first()
        .waitFor();
    }
    await page.getByText('key0', { exact: true }).waitFor();
  });

  it('renders only a few rows of 50,000 events, and every event is reachable', async () => {
    await open(longRecording(50_000));
    await page.getByText('50,000', { exact: true }).waitFor();
    const rows = async () => page.getByRole('option').count();
    expect(await rows()).to.be.within(10, 60);
    await page.keyboard.press('End');
    const last = page.getByRole('option', { selected: true });
    expect(await last.textContent()).to.include('postCall');
    expect(await last.getAttribute('aria-posinset')).to.equal(await last.getAttribute('aria-setsize'));
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.locator('.chain').waitFor();
    expect(await page.locator('.chain').textContent()).to.include('path-jail');
    for (const key of ['+', '+', '+', 'ArrowLeft', 'o', '0']) await page.keyboard.press(key);
    expect(await rows()).to.be.within(10, 60);
    // The lanes are drawn in each of their corners.
    const drawn = await page.evaluate<number>(`(() => {
      const { width, height } = document.querySelector('.lanes-area canvas');
      const { data } = document.querySelector('.lanes-area canvas').getContext('2d').getImageData(0, 0, width, height);
      return new Set(new Uint32Array(data.buffer)).size;
    })()`);
    expect(drawn).to.be.above(20);
  });

  it('follows a recording of a directory until its run ends', async () => {
    const directory = tempFolder('followed');
    const file = join(directory, 'live.jsonl');
    const run = { runId: 'big', sessionId: 's', agent: 'writer', depth: 0 };
    const event = (seq: number, type: string, more: object) =>
      line({ seq, time: 1_000 + seq, type, run, iteration: 0, ...more });
    const served = await aRecordingServer([directory]);
    const tab = await openPage(browser, served.url);
    await tab.getByText('This server only shows recordings.').waitFor();
    writeFileSync(
      file,
      head() + event(0, 'preCall', { messages: [{ role: 'user', parts: [{ type: 'text', text: 'Go' }] }] }),
    );
    await tab.getByRole('link', { name: /live\.jsonl/ }).click();
    await tab.getByRole('option', { name: /preCall/ }).waitFor();
    expect(await tab.getByRole('option').count()).to.equal(1);
    appendFileSync(file, event(1, 'postCall', { outcome: 'completed' }));
    await tab.getByRole('option', { name: /postCall/ }).waitFor();
    await tab.locator('.pill', { hasText: 'completed' }).waitFor();
    expect(tab.errors).to.deep.equal([]);
    await tab.context().close();
    await served.close();
  });

  it('shows a large recording from both ends, and any part', async () => {
    const directory = tempFolder('large');
    const file = join(directory, 'large.jsonl');
    const run = { runId: 'big', sessionId: 's', agent: 'writer', depth: 0 };
    const filler = 'x'.repeat(500_000);
    writeFileSync(file, head());
    for (let seq = 0; seq < 460; seq += 1) {
      const result = { content: filler, isError: false };
      const toolCall = { id: `c${seq}`, name: `tool_${seq}`, input: {} };
      const body = { type: 'postActing', toolCall, permission: 'read', result, outcome: 'executed', durationMs: 1 };
      appendFileSync(file, line({ seq, time: 1_000 + seq, run, iteration: 1, ...body }));
    }
    appendFileSync(
      file,
      line({ seq: 460, time: 2_000, run, iteration: 1, type: 'postCall', outcome: 'failed', reason: 'at the end' }),
    );
    const served = await aRecordingServer([file]);
    const tab = await openPage(browser, served.url);
    await tab.getByText('the first and the last of 5 parts').waitFor();
    await tab.locator('.pill', { hasText: 'failed' }).waitFor();
    await tab.keyboard.press('Home');
    await tab.getByRole('option', { name: /tool_0\b/ }).waitFor();
    await tab.keyboard.press('End');
    await tab.getByRole('option', { name: /postCall/ }).waitFor();
    await tab.getByLabel('Part').fill('2');
    await tab.getByText('Part 3 of 5.').waitFor();
    await tab.getByLabel('Filter events').fill('tool:tool_250');
    await tab.getByRole('option', { name: /tool_250/ }).waitFor();
    await tab.getByRole('button', { name: 'Both ends' }).click();
    await tab.getByText('the first and the last of 5 parts').waitFor();
    expect(tab.errors).to.deep.equal([]);
    await tab.context().close();
    await served.close();
  });
});

/** A read-only server of recordings, with the address of its page. */
async function aRecordingServer(paths: readonly string[]) {
  const live = await createLiveHooks({ files: [] });
  const store = memoryStore();
  const tokens = createTokens(store);
  const recordings = openRecordings(paths);
  const extra = [recordingRoutes(recordings)];
  const server = createServer({ configs: createHookConfigs(live, store), live, tokens, extra, page: true });
  const listening = await listen(server, tokens);
  const [first] = recordings.list();
  const token = await tokens.issue({ user: 'ada', rights: ['read'] });
  return {
    url: `${listening.url}/#token=${token}${first ? `&go=/recordings/${first.id}` : ''}`,
    async close() {
      await live.close();
      await listening.close(0);
    },
  };
}
