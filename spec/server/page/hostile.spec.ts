import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { defineHook, modify, verdict } from 'hookline';
import type { Browser } from 'playwright-core';
import { launch, openPage } from './a-browser.ts';
import { aScreen, type Screen } from './a-screen.ts';
import { storyAgent, storyPipeline } from './a-story.ts';

const MARKUP = '<img src=x onerror="window.taken=1"><script>window.taken=1</script><b>bold</b>';
const [TURNED, ZERO, BELL] = ['\u202e', '\u200b', '\u0007'];
const EVIL = `safe${TURNED}gnp.exe${ZERO}${BELL}${MARKUP}`;

interface Shown {
  readonly taken?: number;
  readonly foreign: number;
  readonly text: string;
  readonly title: string;
  readonly labels: string;
  readonly marks: number;
}

/** It runs in the page, so it is a text here. */
const LOOK = `({
  taken: window.taken,
  foreign: document.querySelectorAll('img, b, #page script, iframe').length,
  text: document.body.textContent,
  title: document.title,
  labels: [...document.querySelectorAll('*')].flatMap((one) => one.getAttributeNames().map((name) => one.getAttribute(name))).join(),
  marks: document.querySelectorAll('.hidden-character').length,
})`;

/** Attempts of a page of another origin, even with a token. */
const ATTACK = `async ([base, token]) => {
  const attempt = async (path, init) => {
    try {
      const answer = await fetch(base + path, init);
      return answer.type + answer.status + (await answer.text());
    } catch {
      return 'refused';
    }
  };
  const headers = { authorization: 'Bearer ' + token };
  const frame = document.createElement('iframe');
  frame.src = base + '/';
  const framed = new Promise((resolve) => {
    frame.onload = () => {
      try {
        resolve(frame.contentDocument?.title ?? 'closed');
      } catch {
        resolve('closed');
      }
    };
  });
  document.body.append(frame);
  return [
    await attempt('/', {}),
    await attempt('/api/approvals', { headers }),
    await attempt('/api/approvals', { mode: 'no-cors', headers }),
    await attempt('/api/approvals/x', { method: 'POST', mode: 'no-cors', body: '{"action":"approve"}' }),
    await attempt('/api/runs', { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: '{"prompt":"x"}' }),
    await framed,
  ];
}`;

/** Every source of text is malicious: the user, the model, the tool that it names, and hooks. */
const evilAgent = () =>
  storyAgent({
    pipeline: storyPipeline([
      defineHook({
        name: `gate ${MARKUP}`,
        match: { tools: ['pay'] },
        on: {
          preReasoning: (event) => modify(event, { options: event.options }, { note: { code: 'evil', message: EVIL } }),
          preActing: (event) =>
            modify(event, { toolCall: { ...event.toolCall, input: { ...event.toolCall.input, [EVIL]: EVIL } } }),
        },
        approve: () => verdict.suspend(EVIL),
      }),
    ]),
    scripts: { [EVIL]: [{ text: EVIL, toolCalls: [{ name: 'pay', input: { to: EVIL } }] }, { text: EVIL }] },
  });

describe('output of agents, tools and hooks on the page', () => {
  let browser: Browser;
  let screen: Screen;
  before(async function () {
    browser = await launch(this);
    screen = await aScreen({ agent: evilAgent() });
  });
  after(async () => {
    await browser?.close();
    await screen?.close();
  });

  it('is never markup, and misleading characters are shown by name', async () => {
    const page = await openPage(browser, await screen.urlOf());
    const run = await screen.start(EVIL);
    const check = async (where: string, least: number) => {
      const found = await page.evaluate<Shown>(LOOK);
      expect(found.taken, where).to.equal(undefined);
      expect(found.foreign, where).to.equal(0);
      for (const hidden of [TURNED, ZERO, BELL])
        expect(found.text + found.title + found.labels, where).to.not.include(hidden);
      expect(found.text, where).to.include('<img src=x');
      expect(found.text, where).to.include('U+202E').and.include('U+200B').and.include('U+0007');
      expect(found.marks, where).to.be.at.least(least);
    };
    await page.locator('.card .prompt').waitFor();
    await check('now', 9);
    await page.getByRole('button', { name: /Edit/ }).click();
    const written = await page.getByLabel(/Input/).inputValue();
    for (const hidden of [TURNED, ZERO]) expect(written).to.not.include(hidden);
    expect(JSON.parse(written)['to']).to.equal(EVIL);
    await page.goto(`${screen.listening.url}/#/runs`);
    await page.locator('tbody tr').first().waitFor();
    await check('runs', 3);
    await page.goto(`${screen.listening.url}/#/runs/${run}`);
    await page.getByRole('option').first().waitFor();
    for (const type of ['precall', 'postreasoning', 'preacting', 'postcall', 'prereasoning']) {
      await page.getByLabel('Filter events').fill(`type:${type}`);
      await page.getByRole('option').last().click();
      await check(type, 3);
    }
    await page.getByRole('tab', { name: 'Conversation' }).click();
    await check('conversation', 3);
    expect(page.errors).to.deep.equal([]);
  });

  it('is inaccessible to a page of another origin, and so are decisions', async () => {
    const url = await screen.urlOf();
    const token = url.split('token=')[1] as string;
    const run = await screen.start('Pay the invoice of the printer.');
    await screen.eventsOf(run);
    const foreign = createServer((_, answer) =>
      answer.setHeader('content-type', 'text/html').end('<title>foreign</title>'),
    );
    await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
    try {
      const page = await (await browser.newContext()).newPage();
      await page.goto(`http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`);
      const got = await page.evaluate(`(${ATTACK})(${JSON.stringify([screen.listening.url, token])})`);
      expect(got).to.deep.equal(['refused', 'refused', 'refused', 'refused', 'refused', 'closed']);
      const { approvals } = (await (await screen.get(url, '/api/approvals')).json()) as {
        approvals: { runId: string }[];
      };
      expect(approvals.map(({ runId }) => runId)).to.include(run);
    } finally {
      await new Promise((resolve) => {
        foreign.close(resolve);
        foreign.closeAllConnections();
      });
    }
  });
});
