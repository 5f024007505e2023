import { expect } from 'chai';
import { createAgent, createPipeline, defineHook } from 'hookline';
import { scriptedModel } from 'hookline/testing';
import type { Browser } from 'playwright-core';
import { launch, openPage } from './a-browser.ts';
import { aScreen } from './a-screen.ts';

describe('a run on the page that ends while its state is loading', () => {
  let browser: Browser;
  before(async function () {
    browser = await launch(this);
  });
  after(() => browser?.close());

  it('is shown as ended without a reload', async () => {
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const waits = defineHook({ name: 'waits', timeoutMs: 60_000, on: { preReasoning: () => released } });
    const agent = createAgent({ name: 'a', model: scriptedModel(['Done.']), pipeline: createPipeline([waits]) });
    const screen = await aScreen({ agent });
    const url = await screen.urlOf();
    const runId = await screen.start('Wait.');
    const page = await openPage(browser, 'about:blank');
    let isLate = false;
    await page.route(`**/api/runs/${runId}`, async (route) => {
      const response = await route.fetch();
      if (!isLate) {
        isLate = true;
        release();
        await page.getByRole('option', { name: /postCall/ }).waitFor();
      }
      await route.fulfill({ response });
    });
    await page.goto(`${url}&go=/runs/${runId}`);
    await page.getByRole('option', { name: /postCall/ }).waitFor();
    await page.locator('.run-title .pill', { hasText: 'completed' }).waitFor();
    expect(await page.getByRole('button', { name: 'Cancel run' }).count()).to.equal(0);
    await page.waitForTimeout(300);
    expect(await page.locator('.run-title .pill').textContent()).to.contain('completed');
    expect(page.errors).to.deep.equal([]);
    await page.close();
    await screen.close();
  });
});
