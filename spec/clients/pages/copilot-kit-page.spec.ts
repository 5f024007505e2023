import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { agUiHandler } from '../../../lib/adapters/ag-ui/index.ts';
import { createAgent, createPipeline } from '../../../lib/index.ts';
import { silentLogger } from '../../../lib/pipeline/logger.ts';
import { scriptedModel, scriptedTool } from '../../../lib/testing/index.ts';
import { launch, openPage } from '../../server/page/a-browser.ts';
import { serve } from '../serve.ts';
import { bundlePage } from './bundle.ts';
import { hooks, removes } from './scene.ts';

describe('a React page with CopilotKit, in a browser', function () {
  this.timeout(60_000);
  let browser: Browser;
  let close: (() => Promise<void>) | undefined;
  before(async function () {
    browser = await launch(this);
  });
  after(() => browser?.close());
  afterEach(() => close?.());

  async function open(turns: Parameters<typeof scriptedModel>[0]) {
    const rm = scriptedTool({ name: 'rm', result: 'gone' });
    const pipeline = createPipeline(hooks, { log: silentLogger });
    const agent = createAgent({ name: 'guide', model: scriptedModel(turns), tools: [rm], pipeline });
    const identify = ({ headers }: Request) => ({ userId: headers.get('x-user') ?? '' });
    const handler = agUiHandler({ agent, identify, log: silentLogger });
    const pages = bundlePage('copilot-kit.tsx');
    const served = await serve((request) => pages(new URL(request.url).pathname) ?? handler(request));
    close = served.close;
    const page = await openPage(browser, `${served.origin}/`);
    const say = async (text: string) => {
      await page.getByLabel('Message').fill(text);
      await page.getByRole('button', { name: 'Send' }).click();
    };
    return { page, say, rm, texts: () => page.locator('article[data-role=assistant]').allTextContents() };
  }

  it('shows an answer and removes retracted text', async () => {
    const { page, say, texts } = await open(['Hello there.', 'Damn.']);
    await say('hi');
    await page.getByText('Hello there.').waitFor();
    await say('hi again');
    await page.getByText('Oh.').waitFor();
    expect(await texts()).to.deep.equal(['Hello there.', 'Oh.']);
    expect(page.errors).to.deep.equal([]);
  });

  it('runs its own tool as judged when the concurrent call is approved', async () => {
    const both = [{ name: 'paint', input: { colour: 'red' } }, ...removes.toolCalls];
    const { page, say } = await open([{ toolCalls: both }, 'Done.']);
    const painted = () => page.evaluate('document.body.dataset.painted');
    await say('paint it and clean up');
    const approve = page.getByRole('button', { name: 'Approve' });
    await approve.waitFor();
    expect(await painted()).to.equal(undefined);
    await approve.click();
    await page.getByText('Done.').waitFor();
    expect(await painted()).to.equal('blue;');
    expect(page.errors).to.deep.equal([]);
  });

  for (const name of ['Approve', 'Deny'])
    it(`continues after ${name}`, async () => {
      const { page, say, rm } = await open([removes, 'Done.']);
      await say('clean up');
      await page.getByRole('button', { name }).click();
      await page.getByText('Done.').waitFor();
      expect(rm.calls).to.have.length(name === 'Approve' ? 1 : 0);
      expect(await page.locator('[data-interrupt]').count()).to.equal(0);
      expect(page.errors).to.deep.equal([]);
    });
});
