// Run by `npm run screenshots`: pictures of every view, dark and light, wide and narrow, in screenshots/, which is not committed.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInbox } from 'hookline/hooks';
import { launch, type OpenedPage, openPage } from './a-browser.ts';
import { longRecording } from './a-recording.ts';
import { aScreen } from './a-screen.ts';
import { storyAgent } from './a-story.ts';

const FOLDER = join(__dirname, '../../../screenshots');
const WIDTHS = { '': 1280, '-narrow': 420 };
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
  const views = viewsOf(screen.listening.url, run, order);
  for (const colorScheme of ['dark', 'light'] as const) {
    for (const [suffix, width] of Object.entries(WIDTHS)) {
      const look = { colorScheme, viewport: { width, height: 860 } };
      const page = await openPage(browser, await screen.urlOf(), look);
      const stranger = await openPage(browser, screen.listening.url, look);
      for (const [name, open] of Object.entries(views)) {
        const shown = name === 'sign-in' || name === 'recording' ? stranger : page;
        await open(shown);
        await shoot(shown, `${name}${suffix}-${colorScheme}`);
      }
      await page.context().close();
      await stranger.context().close();
    }
  }
  await browser.close();
  await screen.close();
  console.log(`Pictures: ${FOLDER}`);
}

/** How to open each view, in the order of the pictures. */
function viewsOf(url: string, run: string, order: string): Record<string, (page: OpenedPage) => Promise<unknown>> {
  const at = (page: OpenedPage, place: string) => page.goto(`${url}/#${place}`);
  return {
    async now(page) {
      await at(page, '/now');
      await page.getByText('Really pay this?').waitFor();
      await page.keyboard.press('j');
    },
    async sessions(page) {
      await at(page, '/sessions');
      await page.getByRole('link', { name: 'Write the release notes' }).waitFor();
    },
    async session(page) {
      await page.getByRole('link', { name: 'Write the release notes' }).click();
      await page.getByRole('button', { name: 'Run again' }).waitFor();
    },
    async runs(page) {
      await at(page, '/runs');
      await page.getByText('overloaded').waitFor();
    },
    async run(page) {
      await at(page, `/runs/${run}`);
      await page.getByLabel('Filter events').fill('hook:path-jail');
      await page.getByRole('option').first().click();
      await page.getByLabel('Filter events').fill('');
      await page.keyboard.press('Escape');
      await page.locator('.chain').waitFor();
    },
    conversation: (page) => page.getByRole('tab', { name: 'Conversation' }).click(),
    timing: (page) => page.getByRole('tab', { name: 'Timing' }).click(),
    async waiting(page) {
      await at(page, `/runs/${order}`);
      await page.getByText('May it run?').waitFor();
    },
    async hooks(page) {
      await at(page, '/hooks');
      await page.getByLabel(/Input/).fill('{ "command": "rm -rf /" }');
      await page.getByRole('button', { name: 'Explain' }).click();
      await page.locator('.verdict').waitFor();
    },
    'sign-in': (page) => page.getByText('Sign in with a token').waitFor(),
    async recording(page) {
      await at(page, '/file');
      const buffer = Buffer.from(longRecording(400));
      await page.setInputFiles('input[type=file]', { name: 'run.jsonl', mimeType: 'application/jsonl', buffer });
      await page.locator('.lane-label', { hasText: 'postCall' }).waitFor();
    },
  };
}

async function shoot(page: OpenedPage, name: string): Promise<void> {
  // Its requests are complete then.
  await page.waitForLoadState('domcontentloaded');
  await page.waitForTimeout(250);
  writeFileSync(join(FOLDER, `${name}.png`), await page.screenshot());
}

void main();
