import { expect } from 'chai';
import { createAgent, createPipeline } from 'hookline';
import { permission } from 'hookline/hooks';
import { scriptedModel, scriptedTool } from 'hookline/testing';
import type { Browser } from 'playwright-core';
import { launch, type OpenedPage, openPage } from './a-browser.ts';
import { aScreen, type Screen } from './a-screen.ts';

const STORY = 'Write the release notes and put them online.';

describe('a view of the page', () => {
  let browser: Browser;
  let screen: Screen;
  let page: OpenedPage;
  before(async function () {
    browser = await launch(this);
    screen = await aScreen();
    page = await openPage(browser, await screen.urlOf());
  });
  after(async () => {
    await browser?.close();
    await screen?.close();
  });
  afterEach(() => expect(page.errors).to.deep.equal([]));

  const at = (place: string) => page.goto(`${screen.listening.url}/#${place}`);
  const seen = (text: string | RegExp) => page.getByText(text).first().waitFor();

  it('removes the token from the address and keeps it for this tab', async () => {
    await seen('No pending calls, no active runs');
    expect(page.url()).to.equal(`${screen.listening.url}/#/now`);
    await page.reload();
    await seen('Live');
    const stranger = await openPage(browser, `${screen.listening.url}/`);
    await stranger.getByText('Sign in with a token').waitFor();
    await stranger.context().close();
  });

  it('shows pending calls and active runs live', async () => {
    await at('/now');
    await screen.start('Watch the queue.');
    await screen.start('Pay the invoice of the printer.');
    await seen('Watch the queue.');
    await seen('Really pay this?');
    expect(await page.title()).to.equal('(1) Hookline');
    const card = page.getByRole('article', { name: 'Approval of pay' });
    await card.getByText('Hooks changed').waitFor();
    expect(await card.textContent())
      .to.include('danger-gate')
      .and.include('"Printer & Sons"')
      .and.include('Hooks changed');
    expect(await page.getByRole('status').textContent()).to.equal('pay needs your approval.');
  });

  it('shows the effects of each hook on an event, with the difference', async () => {
    await at(`/runs/${await screen.start(STORY)}`);
    await page.locator('.lane-label', { hasText: 'postCall1' }).waitFor();
    await page.getByLabel('Filter events').fill('tool:read_file type:preacting');
    await page.getByRole('option').first().click();
    const chain = page.locator('.chain');
    expect(await chain.textContent())
      .to.include('path-jail')
      .and.include('changed');
    expect((await chain.locator('del').allInnerTexts()).join('')).to.equal('docs/../');
    expect((await chain.locator('ins').allInnerTexts()).join('')).to.equal('.md');
  });

  it('shows denials with hook and reason', async () => {
    await page.getByLabel('Filter events').fill('tool:deploy type:preacting');
    await page.getByRole('option').first().click();
    expect(await page.locator('.decision').textContent()).to.match(/deny by no-force: never with --force/);
  });

  it('shows the conversation of the model next to that of the user', async () => {
    await page.getByLabel('Filter events').fill('type:postcall');
    await page.getByRole('option').last().click();
    await page.getByRole('tab', { name: 'Conversation' }).click();
    const [model, user] = [
      page.locator('section[aria-labelledby=as-model]'),
      page.locator('section[aria-labelledby=as-user]'),
    ];
    expect(await model.textContent())
      .to.include('added by house-style')
      .and.include('The company writes in short sentences.');
    expect(await user.textContent()).to.not.include('The company writes');
    expect(await user.textContent())
      .to.include(STORY)
      .and.include('Shall I try it without');
  });

  it('lists runs, filters them, and supports the keyboard', async () => {
    await at('/runs');
    await seen(STORY);
    await page.getByLabel(/Filter runs/).fill('outcome:completed agent:writer by:no-force');
    await page.locator('tbody:not(:has(tr:nth-child(2)))').getByText(STORY).waitFor();
    await page.getByLabel(/Filter runs/).fill('nothing of that');
    await seen('No run matches.');
    await page.getByLabel(/Filter runs/).fill('');
    await seen(STORY);
  });

  it('shows refusals and sub-agents with their sums, in rows and in the header of a run', async () => {
    await at('/runs');
    const row = page.locator('tbody tr', { hasText: STORY }).first();
    await row.getByText('1 call denied').waitFor();
    await row.getByText('1 sub-agent').click();
    await row
      .locator('.sub-runs li', { hasText: 'researcher' })
      .getByText(/230 tokens · /)
      .waitFor();
    const took = await row.locator('td.number').nth(2).textContent();
    await row.getByRole('link', { name: STORY }).click();
    const header = page.locator('.run-header');
    await header.getByText('1 sub-agent').click();
    await header.locator('.sub-runs li', { hasText: 'researcher' }).waitFor();
    const facts = await header.locator('.facts').textContent();
    expect(facts, 'the duration is that of the row').to.include(`took${took}`).and.include('denied calls1');
  });

  it('searches all that is stored, keeps the filter in the address, and names the valid conditions', async () => {
    await at('/runs');
    await page.getByLabel(/Filter runs/).fill('tool:read_file "some forty projects"');
    await page.getByText(STORY).first().waitFor();
    expect(page.url()).to.include('#/runs?filter=tool%3Aread_file+%22some+forty+projects%22');
    await page.reload();
    await seen(STORY);
    expect(await page.getByLabel(/Filter runs/).inputValue()).to.equal('tool:read_file "some forty projects"');
    await page.getByLabel(/Filter runs/).fill('tool:read_file octopus');
    await seen('No run matches.');
    await page.getByText('Filter syntax').click();
    await page.getByText('cost>0.5 tokens>10000').waitFor();
    await page.getByLabel(/Filter runs/).fill('price:5');
    await page
      .getByRole('alert')
      .getByText(/There is no filter "price:"\. Use agent:/)
      .waitFor();
    page.errors.splice(0, page.errors.length, ...page.errors.filter((error) => !error.includes('status of 400')));
    await page.keyboard.press('Escape');
  });

  it('shows resumed runs as one row, and those of all users to operators', async () => {
    const own = await aScreen();
    try {
      const operator = await openPage(browser, await own.urlOf('olga', ['read', 'run', 'runs:read']));
      await operator.goto(`${own.listening.url}/#/runs`);
      await operator.getByText('No runs yet.').waitFor();
      const prompt = 'Pay the invoice of the printer.';
      const runId = await own.start(prompt, 'ada');
      const row = operator.locator('tbody tr', { hasText: prompt });
      await row.getByText('waiting').waitFor();
      await row.getByText('ada', { exact: true }).waitFor();
      const url = await own.urlOf('ada');
      const { approvals } = (await (await own.get(url, '/api/approvals')).json()) as {
        approvals: { id: string; hash: string }[];
      };
      for (const { id, hash } of approvals) await own.post(url, `/api/approvals/${id}`, { action: 'approve', hash });
      await row.getByText('completed').waitFor();
      expect(await operator.locator('tbody tr').count()).to.equal(1);
      await row.getByRole('link', { name: prompt }).click();
      await operator.locator('.run-header .facts').getByText('ada', { exact: true }).waitFor();
      expect(operator.url()).to.include(await own.resumedBy(runId, 'ada'));
      expect(await operator.getByRole('button', { name: /Cancel/ }).count()).to.equal(0);
      expect(operator.errors).to.deep.equal([]);
    } finally {
      await own.close();
    }
  });

  it('finds runs on pages that are not loaded', async () => {
    const agent = createAgent({ name: 'echo', model: scriptedModel(Array.from({ length: 200 }, () => 'yes')) });
    const many = await aScreen({ agent });
    try {
      for (let at = 0; at < 130; at++) await many.eventsOf(await many.start(at === 0 ? 'the needle' : `straw ${at}`));
      const other = await openPage(browser, await many.urlOf());
      await other.goto(`${many.listening.url}/#/runs`);
      await other.getByText('straw 129').waitFor();
      expect(await other.getByText('the needle').count()).to.equal(0);
      await other.getByLabel(/Filter runs/).fill('needle agent:ech');
      await other.getByText('the needle').waitFor();
      expect(await other.locator('tbody tr').count()).to.equal(1);
      expect(other.errors).to.deep.equal([]);
      await other.context().close();
    } finally {
      await many.close();
    }
  });

  it('shows the hooks in force with their statistics, switches one, and explains a call', async () => {
    await at('/hooks');
    await seen('secrets');
    await page.getByLabel('Tool', { exact: true }).fill('bash');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.locator('.verdict').waitFor();
    expect(await page.locator('.verdict').textContent()).to.equal('proceed');
    await page.getByRole('button', { name: 'secrets security-scan' }).click();
    expect(await page.locator('.hook-more').textContent()).to.match(/From the configuration files: .*base\.json:\d+/);
    await page.getByText('kinds of hooks for configurations').click();
    await page.getByText('loop-guard', { exact: true }).click();
    await page.getByText('Name of the hook.').first().waitFor();
    await page.getByRole('switch', { name: 'secrets is on' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).to.include('secrets');
  });

  it('shows where the time went, the slowest first', async () => {
    const run = await screen.start(STORY);
    await screen.eventsOf(run);
    await at(`/runs/${run}`);
    await page.getByRole('tab', { name: 'Timing' }).click();
    await page.locator('.bar').first().waitFor();
    expect(await page.locator('.bar-name').allTextContents()).to.include.members(['tool deploy', 'tool researcher']);
    await page.getByRole('button', { name: 'Slowest first' }).click();
    const durations = (await page.locator('.bar-ms').allTextContents()).map((text) => {
      const [, value, unit] = /^([\d.]+) (ms|s)/.exec(text) ?? [];
      return Number(value) * (unit === 's' ? 1_000 : 1);
    });
    expect(durations.length).to.be.above(5);
    expect(durations).to.deep.equal([...durations].sort((a, b) => b - a));
    await page.locator('.bar', { hasText: 'model request' }).first().click();
    await page.getByRole('tab', { name: 'Event' }).click();
    await page.locator('.detail h2', { hasText: 'preReasoning' }).waitFor();
  });

  it('shows which rule denied a call and where it is, and explains that call', async () => {
    const rules = { deny: ['read_file', 'bash'] };
    const agent = createAgent({
      name: 'cleaner',
      model: scriptedModel([{ toolCalls: [{ name: 'bash', input: { command: 'rm -rf build' } }] }, 'no']),
      tools: [scriptedTool({ name: 'bash', permission: 'external' })],
      pipeline: createPipeline([permission(rules)], { trace: true }),
    });
    const other = await aScreen({ agent, hooks: { permission: { type: 'permission', options: rules } } });
    try {
      const run = await other.start('Clean up.');
      await other.eventsOf(run);
      const tab = await openPage(browser, await other.urlOf());
      await tab.goto(`${other.listening.url}/#/runs/${run}`);
      await tab.getByRole('option', { name: /preActing/ }).click();
      const why = tab.getByRole('region', { name: 'Why' });
      await why.getByText('rule bash').waitFor();
      expect(await why.textContent()).to.match(/^permission, rule bash, \S+base\.json:\d+/);
      await why.getByRole('button', { name: 'Explain this call' }).click();
      await tab.locator('.verdict').waitFor();
      expect(await tab.locator('.verdict').textContent()).to.include('deny by permission');
      expect(await tab.getByLabel(/Input/).inputValue()).to.include('rm -rf build');
      expect(tab.errors).to.deep.equal([]);
      await tab.context().close();
    } finally {
      await other.close();
    }
  });
});
