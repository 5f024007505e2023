import { expect } from 'chai';
import { createAgent, type ModelChunk } from 'hookline';
import type { Browser } from 'playwright-core';
import { Subject } from 'rxjs';
import { launch, openPage } from './a-browser.ts';
import { aScreen, type Screen } from './a-screen.ts';

describe('the page of an active run', () => {
  let browser: Browser;
  let screen: Screen;
  const answer = new Subject<void>();
  let asked = 0;

  before(async function () {
    browser = await launch(this);
    async function* model(): AsyncGenerator<ModelChunk> {
      asked += 1;
      await new Promise<void>((resolve) => answer.subscribe(() => resolve()));
      if (asked === 1) yield { type: 'toolCall', toolCall: { id: 'c', name: 'nothing', input: {} } };
      else yield { type: 'text', delta: 'done' };
      yield { type: 'finish', finishReason: 'stop' };
    }
    screen = await aScreen({ agent: createAgent({ name: 'slow', model }) });
  });
  after(async () => {
    await browser?.close();
    await screen?.close();
  });

  it('pauses the run and continues it, by keyboard, and lists show it', async () => {
    const page = await openPage(browser, await screen.urlOf());
    const other = await openPage(browser, await screen.urlOf('alice', ['read']));
    await page.goto(`${screen.listening.url}/#/runs/${await screen.start('Wait.')}`);
    const pill = page.locator('.run-title .pill');
    await page.getByRole('button', { name: 'Pause', exact: true }).focus();
    await page.keyboard.press('Enter');
    await pill.getByText('paused').waitFor();
    await other.locator('.going .pill').getByText('paused').waitFor();
    answer.next();
    await page.locator('.lane-label', { hasText: 'postReasoning' }).waitFor();
    expect(asked).to.equal(1);
    const resume = page.getByRole('button', { name: 'Continue', exact: true });
    expect(await resume.evaluate((button) => button.matches(':focus')), 'the focus stays').to.equal(true);
    await page.keyboard.press('Enter');
    await pill.getByText('running').waitFor();
    while (asked < 2) await page.waitForTimeout(10);
    answer.next();
    await pill.getByText('completed').waitFor();
    expect(await page.getByRole('button', { name: /^(Pause|Continue)$/ }).count()).to.equal(0);
    await other.goto(`${screen.listening.url}/#/runs/${await screen.start('Wait again.')}`);
    await other.locator('.run-title .pill').getByText('running').waitFor();
    expect(await other.getByRole('button', { name: 'Pause', exact: true }).count()).to.equal(0);
    expect([page.errors, other.errors]).to.deep.equal([[], []]);
  });
});
