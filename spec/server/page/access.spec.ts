import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { launch, type OpenedPage, openPage } from './a-browser.ts';
import { aScreen, type Screen } from './a-screen.ts';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const STORY = 'Write the release notes and put them online.';

/** Returns the serious and critical violations that axe reports, with their places. Targets smaller than 24 px count, too. */
async function findingsOf(page: OpenedPage): Promise<readonly string[]> {
  await page.evaluate(AXE);
  return page.evaluate<
    readonly string[]
  >(`axe.run({ rules: { 'target-size': { enabled: true } } }).then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ': ' + target.join(' ') + ' ' + failureSummary)))`);
}

describe('accessibility of the page', () => {
  let browser: Browser;
  let screen: Screen;
  let run: string;
  before(async function () {
    browser = await launch(this);
    screen = await aScreen({
      hooks: { secrets: { type: 'security-scan' }, loop: { type: 'loop-guard', enabled: false } },
    });
    run = await screen.start(STORY);
    await screen.eventsOf(run);
    await screen.start('Pay the invoice of the printer.');
    await screen.start('Watch the queue.');
  });
  after(async () => {
    await browser?.close();
    await screen?.close();
  });

  for (const colorScheme of ['dark', 'light'] as const)
    it(`has no serious axe violations in any view, ${colorScheme}`, async () => {
      const page = await openPage(browser, await screen.urlOf(), { colorScheme });
      const look = async (where: string) => expect(await findingsOf(page), where).to.deep.equal([]);
      await page.getByText('Really pay this?').waitFor();
      await look('now');
      await page.keyboard.press('j');
      await page.keyboard.press('e');
      await look('editing');
      await page.goto(`${screen.listening.url}/#/sessions`);
      await page.getByRole('link', { name: STORY }).click();
      await page.getByRole('button', { name: 'Run again' }).waitFor();
      await look('session');
      await page.goBack();
      await page.getByRole('link', { name: STORY }).waitFor();
      await look('sessions');
      await page.goto(`${screen.listening.url}/#/runs`);
      await page.getByText(STORY).waitFor();
      await page.keyboard.press('j');
      await look('runs');
      await page.goto(`${screen.listening.url}/#/runs/${run}`);
      await page.getByRole('option').first().waitFor();
      await page.keyboard.press('x');
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      await page.locator('.chain').waitFor();
      await look('an event');
      const fold = page.locator('.json-fold summary').first();
      for (let tries = 0; tries < 40 && (await fold.count()) === 0; tries += 1) await page.keyboard.press('j');
      await fold.waitFor();
      await look('an event with folded fields');
      // Neighbouring folds are as close as their lines.
      const { width = 0, height = 0 } = (await fold.boundingBox()) ?? {};
      expect(Math.min(width, height), 'size of a fold').to.be.at.least(24);
      await page.keyboard.press('c');
      await look('conversation');
      await page.keyboard.press('w');
      await page.locator('.bar').first().waitFor();
      await look('timing');
      await page.goto(`${screen.listening.url}/#/hooks`);
      await page.getByText('secrets', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Explain' }).click();
      await page.locator('.verdict').waitFor();
      await look('hooks');
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
      await look('keys');
      await page.keyboard.press('Escape');
      await page.goto(`${screen.listening.url}/#/file`);
      await page.getByText('Open a recording').waitFor();
      await look('file');
      await page.context().close();
    });

  it('supports the keyboard in every view, into a run, to an event and back', async () => {
    const page = await openPage(browser, await screen.urlOf());
    const { keyboard } = page;
    await page.getByText('Really pay this?').waitFor();
    await keyboard.press('3');
    await page.getByText(STORY).waitFor();
    await keyboard.press('/');
    await keyboard.type('release notes');
    await keyboard.press('Escape');
    await page.locator('table[aria-busy=false] tbody:not(:has(tr:nth-child(2)))').waitFor();
    await keyboard.press('j');
    await keyboard.press('Enter');
    await page.getByRole('option').first().waitFor();
    expect(page.url()).to.include(`/runs/${run}`);
    for (const key of ['j', 'j', 'j', 'k']) await keyboard.press(key);
    const selected = page.getByRole('option', { selected: true });
    expect(await selected.getAttribute('aria-posinset')).to.equal('2');
    await keyboard.press('+');
    await keyboard.press('ArrowRight');
    await keyboard.press('0');
    await keyboard.press('o');
    expect(await page.getByRole('button', { name: 'Order' }).getAttribute('aria-pressed')).to.equal('true');
    await keyboard.press('c');
    await page.getByText('Output for the user').waitFor();
    await keyboard.press('Escape');
    await keyboard.press('Escape');
    expect(new URL(page.url()).hash).to.equal('#/runs');
    await keyboard.press('4');
    await page.locator('.hook').first().waitFor();
    await keyboard.press('j');
    await page.locator('.hook.selected').waitFor();
    await keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await keyboard.press('t');
    expect(await page.locator('html').getAttribute('data-theme')).to.equal('light');
    expect(page.errors).to.deep.equal([]);
  });

  it('scrolls to the details of a chosen event in a narrow window', async () => {
    const page = await openPage(browser, await screen.urlOf(), {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    });
    await page.goto(`${screen.listening.url}/#/runs/${await screen.start('Who uses the package?')}`);
    await page.getByRole('option').first().tap();
    const top = async () => (await page.locator('.event-detail').boundingBox())?.y ?? -1;
    for (let tries = 0; tries < 100 && !((await top()) >= 0 && (await top()) < 422); tries += 1)
      await page.waitForTimeout(20);
    expect(await top()).to.be.within(0, 422);
    expect(page.errors).to.deep.equal([]);
    await page.context().close();
  });

  it('is not wider than a narrow window in any view', async () => {
    const page = await openPage(browser, await screen.urlOf(), { viewport: { width: 360, height: 740 } });
    for (const place of ['now', 'sessions', 'runs', `runs/${run}`, 'hooks', 'file']) {
      await page.goto(`${screen.listening.url}/#/${place}`);
      await page.locator('main h1, main .empty').first().waitFor({ state: 'attached' });
      const wide = await page.evaluate(
        `[document.documentElement.scrollWidth, document.querySelector('main').scrollWidth]`,
      );
      expect(wide, place).to.deep.equal([360, 360]);
    }
    await page.goto(`${screen.listening.url}/#/runs/${run}`);
    await page.getByRole('tab', { name: 'Timing' }).click();
    await page.locator('.bar-ms .faint').first().waitFor();
    const cut = `[...document.querySelectorAll('.bar-ms')].filter((ms) => ms.scrollWidth > ms.clientWidth).length`;
    expect(await page.evaluate(cut), 'durations that are cut off').to.equal(0);
  });

  it('disables motion if the user prefers it reduced', async () => {
    const page = await openPage(browser, await screen.urlOf(), { reducedMotion: 'reduce' });
    await page.getByText('Watch the queue.').waitFor();
    expect(await page.evaluate('document.getAnimations().length')).to.equal(0);
  });
});
