import { expect } from 'chai';
import { createAgent } from 'hookline';
import { memoryRunStore } from 'hookline/server';
import type { Browser } from 'playwright-core';
import { NEVER } from 'rxjs';
import { headOf } from '../../../lib/server/records/run-head.ts';
import { launch, openPage } from './a-browser.ts';
import { aScreen, type Screen } from './a-screen.ts';

describe('the page of a run without a server', () => {
  let browser: Browser;
  let screen: Screen;
  const runStore = memoryRunStore();
  const place = { workspace: '/w', configuration: [] };

  before(async function () {
    browser = await launch(this);
    const run = { sessionId: 's', agent: 'a', depth: 0 };
    const startedAt = new Date().toISOString();
    for (const [runId, age] of [
      ['lost', 120_000],
      ['away', 0],
    ] as const) {
      const head = {
        ...headOf({ runId, sessionId: runId, agent: 'a', state: 'running', startedAt }, { place, writeAhead: true }),
        server: { host: 'elsewhere', pid: 1 },
        at: new Date(Date.now() - age).toISOString(),
      };
      const event = { type: 'preCall', run: { ...run, runId }, iteration: 0, seq: 0, time: Date.now(), messages: [] };
      await runStore.append({ user: 'alice', runId }, { entries: [{ event }], head: head as never });
    }
    const takesOver = { takeOver: true, place, recover: () => expect.fail('it was continued') } as const;
    const agent = createAgent({ name: 'slow', model: () => NEVER });
    screen = await aScreen({ agent, runs: { ...takesOver, runStore, limits: { running: 1 } } });
    // At its limit, the server cannot continue a run.
    await screen.start('Wait.', 'bob');
  });
  after(async () => {
    await browser?.close();
    await screen?.close();
  });

  it('shows the result of a cancel, or why the run cannot be cancelled', async () => {
    const page = await openPage(browser, await screen.urlOf());
    const cancel = page.getByRole('button', { name: 'Cancel run' });
    await page.goto(`${screen.listening.url}/#/runs/lost`);
    const pill = page.locator('.run-title .pill');
    await page.getByRole('button', { name: 'Interrupt' }).click();
    await page.getByRole('alert').getByText('The server of this run has ended').waitFor();
    await cancel.click();
    await pill.getByText('cancelled').waitFor();
    expect(await page.getByRole('alert').count()).to.equal(0);
    await page.goto(`${screen.listening.url}/#/runs/away`);
    await pill.getByText('running').waitFor();
    await cancel.click();
    await page.getByRole('alert').getByText('The server of this run does not respond').waitFor();
    await pill.getByText('running').waitFor();
    await page.goto(`${screen.listening.url}/#/sessions/away`);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('alert').getByText('The server of this run does not respond').waitFor();
    expect(page.errors).to.deep.equal([]);
  });
});
