import { expect } from 'chai';
import { createAgent, createPipeline, defineHook, memoryTranscript, verdict } from 'hookline';
import { scriptedModel, scriptedTool } from 'hookline/testing';
import type { Browser } from 'playwright-core';
import { NEVER } from 'rxjs';
import { launch, type OpenedPage, openPage } from './a-browser.ts';
import { aScreen, type Screen } from './a-screen.ts';

/** An agent that deletes a file after approval, then answers. */
function deleter() {
  const ask = defineHook({ name: 'ask', approve: () => verdict.suspend('Delete it?') });
  return createAgent({
    name: 'deleter',
    model: scriptedModel([
      { toolCalls: [{ name: 'delete_file', input: { path: 'notes.txt' } }] },
      'It is gone.',
      'It is still gone.',
      'Nothing is left.',
    ]),
    tools: [scriptedTool({ name: 'delete_file', result: 'deleted', permission: 'write' })],
    pipeline: createPipeline([ask]),
    transcript: memoryTranscript(),
  });
}

describe('a session on the page', () => {
  let browser: Browser;
  let screen: Screen;
  let page: OpenedPage;
  before(async function () {
    browser = await launch(this);
    const agent = deleter();
    screen = await aScreen({
      agent,
      start: ({ prompt, user, sessionId, regenerate = false }, signal) =>
        prompt === 'hang'
          ? createAgent({ name: 'slow', model: () => NEVER }).run(prompt, { userId: user, sessionId, signal })
          : agent.run(regenerate ? [] : prompt, { userId: user, sessionId, signal, regenerate }),
    });
    page = await openPage(browser, await screen.urlOf());
  });
  after(async () => {
    await browser?.close();
    await screen?.close();
  });
  afterEach(() => expect(page.errors).to.deep.equal([]));
  const prompt = () => page.getByLabel('Prompt');

  it('begins with a prompt, and continues after an approval in place', async () => {
    await page.getByText('No pending calls, no active runs').waitFor();
    await page.getByRole('button', { name: 'delete notes.txt' }).click();
    expect(await prompt().inputValue()).to.equal('delete notes.txt');
    await prompt().press('Enter');
    await page.getByRole('article', { name: 'Approval of delete_file' }).waitFor();
    expect(page.url()).to.match(/#\/sessions\/[\w-]+$/);
    const { height = 0 } = (await page.getByText(/^session /).boundingBox()) ?? {};
    expect(height, 'the session of the card, on one line').to.be.within(1, 30);
    await page.getByRole('button', { name: /^Approve/ }).click();
    await page.locator('.message-assistant').getByText('It is gone.').waitFor();
    expect(await page.locator('h1').textContent()).to.equal('delete notes.txt');
    await page.locator('.pill', { hasText: 'completed' }).waitFor();
    expect(await page.locator('.turn-end').count(), 'one outcome for one piece of work').to.equal(1);
    expect(await page.getByText('The run ended').count()).to.equal(0);
  });

  it('repeats the last turn, and continues with the next prompt', async () => {
    await page.getByRole('button', { name: 'Run again' }).click();
    await page.locator('.message-assistant').getByText('It is still gone.').waitFor();
    await prompt().fill('And now?');
    await prompt().press('Shift+Enter');
    expect(await prompt().inputValue()).to.equal('And now?\n');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('.message-assistant').getByText('Nothing is left.').waitFor();
    expect(await prompt().inputValue()).to.equal('');
  });

  it('stops an active run, and keeps a rejected prompt', async () => {
    await prompt().fill('hang');
    await prompt().press('Enter');
    const stop = page.getByRole('button', { name: 'Stop' });
    await stop.waitFor();
    await prompt().fill('too early');
    await prompt().press('Enter');
    await page.getByRole('alert').getByText('The session is busy').waitFor();
    expect(await prompt().inputValue()).to.equal('too early');
    await stop.click();
    await page.locator('.pill', { hasText: 'cancelled' }).waitFor();
  });

  it('lists sessions with their first prompt, and opens one again after a reload', async () => {
    await page.goto(`${screen.listening.url}/#/sessions`);
    const session = page.getByRole('link', { name: 'delete notes.txt' });
    await session.waitFor();
    await session.click();
    await page.reload();
    await page.locator('.message-assistant').getByText('Nothing is left.').waitFor();
    const users = page.locator('.message-user .message-text');
    expect(await users.allTextContents()).to.include.members(['delete notes.txt', 'And now?\n', 'hang']);
  });

  it('shows no box to a token without the right to run', async () => {
    const reader = await openPage(browser, await screen.urlOf('alice', ['read']));
    await reader.goto(`${screen.listening.url}/#/sessions`);
    await reader.getByRole('link', { name: 'delete notes.txt' }).click();
    await reader.locator('.message-assistant').getByText('Nothing is left.').waitFor();
    expect(await reader.getByLabel('Prompt').count()).to.equal(0);
    expect(await reader.getByRole('button', { name: 'Run again' }).count()).to.equal(0);
    await reader.context().close();
  });
});
