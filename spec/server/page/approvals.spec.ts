import { expect } from 'chai';
import { createAgent, createPipeline, defineHook, verdict } from 'hookline';
import { scriptedModel, scriptedTool } from 'hookline/testing';
import type { Browser } from 'playwright-core';
import { launch, type OpenedPage, openPage } from './a-browser.ts';
import { aScreen, type Screen } from './a-screen.ts';

const ORDER = 'Order paper for the printer.';
const PAY = 'Pay the invoice of the printer.';

describe('an approval on the page', () => {
  let browser: Browser;
  let screen: Screen;
  let alice: OpenedPage;
  before(async function () {
    browser = await launch(this);
  });
  beforeEach(async () => {
    screen = await aScreen();
    alice = await openPage(browser, await screen.urlOf());
  });
  afterEach(async () => {
    expect(alice.errors).to.deep.equal([]);
    for (const context of browser.contexts()) await context.close();
    await screen.close();
  });
  after(() => browser?.close());

  const cardOn = (page: OpenedPage) => page.getByRole('article', { name: 'Approval of pay' });

  /** Returns the outcome of the call after its run has resumed: the input that `pay` received, or the reason for the denial. */
  async function settled(runId: string): Promise<string> {
    const frames = await screen.eventsOf(await screen.resumedBy(runId));
    const post = frames.find(({ event }) => event === 'postActing')?.data as Record<
      string,
      { input?: object; content?: string }
    >;
    return post['outcome'] === ('executed' as unknown)
      ? JSON.stringify(post['toolCall']?.input)
      : String(post['result']?.content);
  }

  it('runs exactly the shown call', async () => {
    const run = await screen.start(PAY);
    await cardOn(alice)
      .getByRole('button', { name: /Approve/ })
      .click();
    await cardOn(alice).getByText('Approved by you').waitFor();
    expect(await settled(run)).to.equal('{"to":"Printer & Sons","amount":120,"currency":"EUR"}');
    expect(await alice.title()).to.equal('Hookline');
  });

  it('shows the steps before the call to an approver of another user', async () => {
    const boss = await openPage(browser, await screen.urlOf('bob', ['read', 'approve'], '*'));
    await screen.start(PAY);
    const card = cardOn(boss);
    await card.getByText(/Context: 2 steps of the run/).click();
    expect(await card.locator('.call-context').textContent())
      .to.include(PAY)
      .and.include('I will pay it.');
    expect(await card.getByRole('link', { name: 'open run' }).count()).to.equal(0);
    expect(boss.errors).to.deep.equal([]);
  });

  it('counts a run with a call that is pending inside as waiting, also in the list of runs', async () => {
    await screen.start(ORDER);
    const card = alice.getByRole('article', { name: 'Approval of order' });
    await card.getByText('answer within').waitFor();
    expect((await card.textContent())?.match(/sheets/g), 'arguments are shown once').to.have.length(1);
    expect(await card.textContent())
      .to.include('wants to call order')
      .and.include('May it run?');
    await alice.goto(`${screen.listening.url}/#/runs`);
    const row = alice.locator('tbody tr', { hasText: ORDER });
    await row.getByText('waiting').waitFor();
    const states = alice.getByRole('group', { name: 'State' });
    await states.getByRole('button', { name: 'waiting' }).click();
    await row.waitFor();
    await states.getByRole('button', { name: 'running' }).click();
    await alice.getByText('No run matches.').waitFor();
  });

  it('shows all hooks that ask about a call, and their prompts', async () => {
    const asks = (name: string) => defineHook({ name, approve: () => verdict.suspend(`Is it fine for ${name}?`) });
    const agent = createAgent({
      name: 'runner',
      model: scriptedModel([{ toolCalls: [{ name: 'sh', input: { script: 'ls' } }] }, 'done']),
      tools: [scriptedTool({ name: 'sh', result: 'ran' })],
      pipeline: createPipeline([asks('safety'), asks('office')]),
    });
    const other = await aScreen({ agent });
    try {
      const page = await openPage(browser, await other.urlOf());
      const run = await other.start('go');
      const card = page.getByRole('article', { name: 'Approval of sh' });
      await card.getByText('safety and office').waitFor();
      await card.getByText('Is it fine for safety?').waitFor();
      await card.getByText('Is it fine for office?').waitFor();
      await card.getByRole('button', { name: /Approve/ }).click();
      const frames = await other.eventsOf(await other.resumedBy(run));
      expect(frames.find(({ event }) => event === 'postCall')?.data).to.include({ outcome: 'completed' });
      expect(page.errors).to.deep.equal([]);
    } finally {
      await other.close();
    }
  });

  it('can be approved once the end of the input was in view', async () => {
    const script = [...Array.from({ length: 400 }, (_, line) => `echo ${line} ${'x'.repeat(60)}`), 'rm -rf /'].join(
      '\n',
    );
    const asks = defineHook({ name: 'asks', approve: () => verdict.suspend('Run this?') });
    const agent = createAgent({
      name: 'runner',
      model: scriptedModel(Array.from({ length: 2 }, () => ({ toolCalls: [{ name: 'sh', input: { script } }] }))),
      tools: [scriptedTool({ name: 'sh', result: 'ran' })],
      pipeline: createPipeline([asks]),
    });
    const other = await aScreen({ agent });
    try {
      const page = await openPage(browser, await other.urlOf());
      const card = page.getByRole('article', { name: 'Approval of sh' });
      const approve = card.getByRole('button', { name: /Approve/ });
      await other.start('first');
      await card.getByText('403 lines.').waitFor();
      expect(await approve.isDisabled()).to.equal(true);
      await page.keyboard.press('j');
      await page.keyboard.press('a');
      expect(await card.getByText('rm -rf /').count(), 'the whole text is there').to.equal(1);
      await card.locator('.call-input').evaluate((box) => box.scrollTo(0, box.scrollHeight));
      await approve.click();
      await card.getByText('Approved by you').waitFor();
      await card.getByRole('button', { name: 'Dismiss' }).click();
      await other.start('second');
      await card.getByRole('button', { name: 'Show all' }).click();
      await approve.click();
      await card.getByText('Approved by you').waitFor();
      expect(page.errors).to.deep.equal([]);
    } finally {
      await other.close();
    }
  });

  it('runs an edited input instead, and sends only JSON objects', async () => {
    const run = await screen.start(PAY);
    await cardOn(alice).getByRole('button', { name: /Edit/ }).click();
    const [input, send] = [
      cardOn(alice).getByLabel(/Input/),
      cardOn(alice).getByRole('button', { name: 'Approve this input' }),
    ];
    for (const wrong of ['{ "to": ', '[1]', '7']) {
      await input.fill(wrong);
      expect(await send.isDisabled(), wrong).to.equal(true);
    }
    await input.fill('{ "to": "Printer & Sons", "amount": 7, "currency": "EUR" }');
    await send.click();
    await cardOn(alice).getByText('Approved by you').waitFor();
    expect(await settled(run)).to.equal('{"to":"Printer & Sons","amount":7,"currency":"EUR"}');
  });

  it('prevents a call and sends the reason to the model', async () => {
    const run = await screen.start(PAY);
    await cardOn(alice).getByRole('button', { name: /Deny/ }).click();
    await cardOn(alice)
      .getByLabel(/Reason/)
      .fill('too dear');
    await alice.keyboard.press('Enter');
    await cardOn(alice).getByText('Denied by you: too dear').waitFor();
    expect(await settled(run)).to.include('too dear');
  });

  it('names the author of an earlier answer', async () => {
    const bob = await openPage(browser, await screen.urlOf('bob', ['read', 'approve'], '*'));
    await screen.start(PAY);
    await cardOn(alice).getByRole('link', { name: 'open run' }).waitFor();
    expect(await cardOn(bob).getByRole('link', { name: 'open run' }).count(), 'only the owner can open it').to.equal(0);
    await cardOn(bob)
      .getByRole('button', { name: /Approve/ })
      .click();
    await cardOn(alice).getByText('Approved by bob').waitFor();
    expect(await alice.getByRole('status').textContent()).to.equal('pay: Approved by bob');
    expect(
      await cardOn(alice)
        .getByRole('button', { name: /Approve/ })
        .count(),
    ).to.equal(0);
    expect(bob.errors).to.deep.equal([]);
  });

  it('accepts one of two simultaneous answers, and informs the other user', async () => {
    const bob = await screen.urlOf('bob', ['read', 'approve'], '*');
    const run = await screen.start(PAY);
    await cardOn(alice).waitFor();
    await alice.route('**/api/approvals/*', async (route) => {
      if (route.request().method() === 'POST') {
        const { hash } = route.request().postDataJSON();
        // Before the answer of alice arrives.
        await screen.post(bob, new URL(route.request().url()).pathname, { action: 'deny', hash, reason: 'not now' });
      }
      await route.continue();
    });
    await cardOn(alice)
      .getByRole('button', { name: /Approve/ })
      .click();
    await cardOn(alice).getByText('Denied by bob: not now').waitFor();
    expect(await settled(run)).to.include('not now');
  });

  it('is answered with keys; the first one selects, which prevents accidental answers', async () => {
    const run = await screen.start(PAY);
    await cardOn(alice).waitFor();
    await alice.keyboard.press('a');
    await alice.locator('.card.selected').waitFor();
    expect(await alice.getByText('Approved by').count()).to.equal(0);
    // Another call arrives: the selected one stays selected.
    await screen.start(PAY);
    await alice.locator('.card').nth(1).waitFor();
    expect(await alice.locator('.card.selected').getAttribute('data-approval')).to.include(run);
    await alice.keyboard.press('a');
    await alice.locator('.given', { hasText: 'Approved by you' }).waitFor();
    expect(await alice.locator('.card.answered').getAttribute('data-approval')).to.include(run);
    await alice.keyboard.press('k');
    await alice.keyboard.press('d');
    await alice.keyboard.type('no');
    await alice.keyboard.press('Enter');
    await alice.locator('.given', { hasText: 'Denied by you: no' }).waitFor();
  });

  it('is also shown in the run', async () => {
    const run = await screen.start(PAY);
    await alice.goto(`${screen.listening.url}/#/runs/${run}`);
    await cardOn(alice)
      .getByRole('button', { name: /Approve/ })
      .click();
    await cardOn(alice).getByText('Approved by you').waitFor();
    await alice.getByText('continues as').waitFor();
  });

  it('continues an active run with the unchanged call', async () => {
    const run = await screen.start('Order paper for the printer.');
    await alice.goto(`${screen.listening.url}/#/runs/${run}`);
    const card = alice.getByRole('article', { name: 'Approval of order' });
    await card.waitFor();
    expect(await card.getByRole('button', { name: /Edit/ }).count()).to.equal(1);
    await alice.locator('.run-header').getByText('waiting').waitFor();
    await alice.keyboard.press('a');
    await alice.keyboard.press('a');
    await card.getByText('Approved by you').waitFor();
    await alice.getByText('completed').first().waitFor();
    const frames = await screen.eventsOf(run);
    expect(frames.filter(({ event, data }) => event === 'postActing' && data['outcome'] === 'executed')).to.have.length(
      1,
    );
  });

  it('continues an active run with the edited input, once it is JSON and matches the schema', async () => {
    const run = await screen.start('Order paper for the printer.');
    await alice.goto(`${screen.listening.url}/#/runs/${run}`);
    const card = alice.getByRole('article', { name: 'Approval of order' });
    await card.getByRole('button', { name: /Edit/ }).click();
    const [input, send] = [card.getByLabel(/Input/), card.getByRole('button', { name: 'Approve this input' })];
    const api = await screen.urlOf();
    const waiting = async () => {
      const { approvals } = (await (await screen.get(api, '/api/approvals')).json()) as { approvals: object[] };
      return approvals.length;
    };

    await input.fill('{ "what": "paper", ');
    await card.getByText('The input is not valid JSON').waitFor();
    expect(await send.isDisabled()).to.equal(true);
    await input.press('Control+Enter');
    expect(await card.getByRole('alert').count()).to.equal(0);
    expect(await waiting()).to.equal(1);

    await input.fill('{ "what": "paper", "sheets": "many" }');
    await send.click();
    const error = await card.getByRole('alert').textContent();
    expect(error).to.match(/^The edited input is invalid; the call is still pending\. .*sheets/s);
    expect(await waiting()).to.equal(1);
    expect(await input.inputValue()).to.include('"many"');

    await input.fill('{ "what": "paper", "sheets": 250 }');
    await send.click();
    await card.getByText('Approved by you').waitFor();
    await alice.getByText('completed').first().waitFor();
    const acted = (await screen.eventsOf(run)).filter(({ event }) => event === 'postActing');
    expect(acted.map(({ data }) => [data['outcome'], (data['toolCall'] as { input?: object }).input])).to.deep.equal([
      ['executed', { what: 'paper', sheets: 250 }],
    ]);
  });

  it('requires the right to approve', async () => {
    const run = await screen.start(PAY);
    const reader = await openPage(browser, await screen.urlOf('alice', ['read']));
    await reader.getByText('No pending calls, no active runs').waitFor();
    await reader.goto(`${screen.listening.url}/#/runs/${run}`);
    await reader.getByText('waiting').first().waitFor();
    expect(await cardOn(reader).count()).to.equal(0);
    expect(await reader.getByRole('button', { name: /Give up|Cancel/ }).count()).to.equal(0);
  });
});
