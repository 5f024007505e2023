import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { createAgent, createPipeline } from '../../../lib/index.ts';
import { scriptedModel, scriptedTool } from '../../../lib/testing/index.ts';
import { launch, openPage } from '../../server/page/a-browser.ts';
import { createHost, type Host } from '../ai-sdk-ui/host.ts';
import { bundlePage } from './bundle.ts';
import { hooks, removes } from './scene.ts';

function agentOf(turns: Parameters<typeof scriptedModel>[0], delayMs = 0) {
  const tools = [scriptedTool({ name: 'rm', result: 'gone' })];
  return createAgent({
    name: 'guide',
    model: scriptedModel(turns, { delayMs }),
    tools,
    pipeline: createPipeline(hooks),
  });
}

describe('a React page with useChat, in a browser', function () {
  this.timeout(60_000);
  let browser: Browser;
  let host: Host;
  before(async function () {
    browser = await launch(this);
  });
  after(() => browser?.close());
  afterEach(() => host?.close());

  for (const version of [6, 7] as const) {
    const alias = { 'page-ai': version === 6 ? 'ai6latest' : 'ai7', 'page-react': `react-ai${version}` };
    const open = async (agent: ReturnType<typeof agentOf>) => {
      host = await createHost({ agent, version }, bundlePage('use-chat.tsx', alias));
      const page = await openPage(browser, host.api.replace('/api/chat', '/'));
      const say = async (text: string) => {
        await page.getByLabel('Message').fill(text);
        await page.getByRole('button', { name: 'Send' }).click();
      };
      return { page, say, texts: () => page.locator('article[data-role=assistant] p').allInnerTexts() };
    };

    describe(`AI SDK ${version}`, () => {
      it('shows an answer and hides retracted text', async () => {
        const { page, say, texts } = await open(agentOf(['Hello there.', 'Damn.']));
        await say('hi');
        await page.getByText('Hello there.').waitFor();
        await say('hi again');
        await page.getByText('Oh.').waitFor();
        expect(await texts()).to.deep.equal(['Hello there.', 'Oh.']);
        expect(page.errors).to.deep.equal([]);
      });

      for (const [name, output] of [
        ['Approve', 'gone'],
        ['Deny', undefined],
      ] as const)
        it(`continues after ${name}`, async () => {
          const { page, say } = await open(agentOf([removes, 'Done.']));
          await say('clean up');
          await page.getByRole('button', { name }).click();
          await page.getByText('Done.').waitFor();
          const tool = page.locator('[data-tool=rm]');
          expect(await tool.getAttribute('data-state')).to.equal(output ? 'output-available' : 'output-denied');
          if (output) expect(await tool.locator('output').textContent()).to.equal(output);
          expect(await page.locator('main').getAttribute('data-status')).to.equal('ready');
          expect(page.errors).to.deep.equal([]);
        });

      it('reconnects to an active run after a reload', async () => {
        const { page, say, texts } = await open(
          agentOf([{ chunks: ['one ', 'two ', 'three ', 'four ', 'five'] }], 400),
        );
        await say('count');
        await page.getByText('one').waitFor();
        await page.reload();
        await page.getByText('one two three four five').waitFor();
        expect(await texts()).to.deep.equal(['one two three four five']);
        expect(page.errors).to.deep.equal([]);
      });
    });
  }
});
