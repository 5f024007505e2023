import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { OpenedPage } from '../server/page/a-browser.ts';
import { siteInABrowser } from './a-site-in-a-browser.ts';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** A page of each kind. */
const kinds = {
  start: '/',
  concepts: '/concepts/',
  guide: '/guides/secrets.html',
  hooks: '/hooks/',
  hook: '/hooks/permission.html',
  matrix: '/integrations/',
  integration: '/integrations/ai-sdk.html',
  commands: '/reference/command-line.html',
  routes: '/reference/http.html',
  events: '/reference/events.html',
  api: '/api/',
  'entry point': '/api/hookline/config/',
  function: '/api/hookline/functions/createPipeline.html',
  class: '/api/hookline/classes/HooklineError.html',
  interface: '/api/hookline/interfaces/HookDefinition.html',
  type: '/api/hookline/type-aliases/HookEvent.html',
  variable: '/api/hookline/variables/verdict.html',
  source: '/source/samples/loops/own-loop.ts.html',
} as const;

/** The pages that `npm run check:site` checks in all views. The others are checked in all views with HOOKLINE_SOAK. */
const VARIED: ReadonlySet<string> = new Set(['start', 'guide', 'hook', 'matrix', 'function', 'source']);

const views = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  'on a phone': { colorScheme: 'light', viewport: { width: 390, height: 844 } },
} as const;

const dark = 'document.documentElement.classList.contains("dark")';

/** Returns the violations that axe reports, with their places. */
function findings(page: OpenedPage): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`axe.run().then(({ violations }) => violations
    .flatMap(({ id, nodes }) => nodes.map((node) => id + ': ' + node.target.join(' ') + ' ' + node.any.map((one) => one.message).join(' '))))`);
}

describe('accessibility of the site', () => {
  const { visit } = siteInABrowser();

  for (const [view, options] of Object.entries(views)) {
    for (const [kind, path] of Object.entries(kinds)) {
      if (view !== 'light' && !process.env['HOOKLINE_SOAK'] && !VARIED.has(kind)) continue;
      it(`has no axe violations on a page of the kind ${kind}, ${view}`, () =>
        visit(
          path,
          async (page) => {
            expect(await page.evaluate(dark)).to.equal(options.colorScheme === 'dark');
            await page.evaluate(AXE);
            expect(await findings(page)).to.deep.equal([]);
            expect(page.errors).to.deep.equal([]);
          },
          options,
        ));
    }
  }
});
