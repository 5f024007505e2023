// Run by `npm run screenshots`: pictures of the main views, dark and light, in screenshots/, which is not committed.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInbox } from 'hookline/hooks';
import type { Browser } from 'playwright-core';
import { launch, type OpenedPage, openPage } from './a-browser.ts';
import { aScreen, type Screen } from './a-screen.ts';
import { storyAgent } from './a-story.ts';

const FOLDER = join(__dirname, '../../../screenshots');
const HOOKS = {
  secrets: { type: 'security-scan' },
  confirm: { type: 'dangerous-confirmation' },
  loop: { type: 'loop-guard', enabled: false },
};

async function main(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const inbox = createInbox();
  const screen = await aScreen({ inbox, agent: storyAgent({ inbox, delayMs: 60 }), hooks: HOOKS });
  const browser = await launch();
  const run = await screen.start('Write the release notes and put them online.');
  await screen.start('Pay the invoice of the printer.');
  await screen.start('Watch the queue.');
  const order = await screen.start('Order paper for the printer.');
  await screen.eventsOf(await screen.start('Ask the model that is down.'));
  await screen.eventsOf(run);
  for (const colorScheme of ['dark', 'light'] as const) await takeAll(browser, screen, { colorScheme, run, order });
  await browser.close();
  await screen.close();
  console.log(`Pictures: ${FOLDER}`);
}

interface Plan {
  readonly colorScheme: 'dark' | 'light';
  readonly run: string;
  readonly order: string;
}

async function takeAll(browser: Browser, screen: Screen, { colorScheme, run, order }: Plan): Promise<void> {
  const page = await openPage(browser, await screen.urlOf(), { colorScheme });
  const at = (place: string) => page.goto(`${screen.listening.url}/#${place}`);
  const take = (name: string) => shoot(page, `${name}-${colorScheme}`);
  await page.getByText('Really pay this?').waitFor();
  await page.keyboard.press('j');
  await take('now');
  await at('/sessions');
  await page.getByRole('link', { name: 'Write the release notes' }).waitFor();
  await take('sessions');
  await page.getByRole('link', { name: 'Write the release notes' }).click();
  await page.getByRole('button', { name: 'Run again' }).waitFor();
  await take('session');
  await at('/runs');
  await page.getByText('overloaded').waitFor();
  await take('runs');
  await at(`/runs/${run}`);
  await page.getByLabel('Filter events').fill('hook:path-jail');
  await page.getByRole('option').first().click();
  await page.getByLabel('Filter events').fill('');
  await page.keyboard.press('Escape');
  await page.locator('.chain').waitFor();
  await take('run');
  await page.getByRole('tab', { name: 'Conversation' }).click();
  await take('conversation');
  await page.getByRole('tab', { name: 'Timing' }).click();
  await take('timing');
  await at(`/runs/${order}`);
  await page.getByText('May it run?').waitFor();
  await take('waiting');
  await at('/hooks');
  await page.getByLabel(/Input/).fill('{ "command": "rm -rf /" }');
  await page.getByRole('button', { name: 'Explain' }).click();
  await page.locator('.verdict').waitFor();
  await take('hooks');
  await page.setViewportSize({ width: 420, height: 860 });
  for (const name of ['now', 'sessions', 'runs', 'hooks']) {
    await at(`/${name}`);
    await take(`${name}-narrow`);
  }
  await at(`/runs/${run}`);
  await page.getByRole('option').first().waitFor();
  await take('run-narrow');
  await page.context().close();
}

async function shoot(page: OpenedPage, name: string): Promise<void> {
  // Its requests are complete then.
  await page.waitForLoadState('domcontentloaded');
  await page.waitForTimeout(250);
  writeFileSync(join(FOLDER, `${name}.png`), await page.screenshot());
}

void main();
