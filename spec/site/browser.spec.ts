import { expect } from 'chai';
import { filesOfSite } from './a-site.ts';
import { siteInABrowser } from './a-site-in-a-browser.ts';

const phone = { viewport: { width: 390, height: 844 } };

/** Shows the pages one after another, in the same document, and returns those that are wider than the window. Equal sidebars are shown once. */
const widePages = `async (paths) => {
  const wide = [];
  const sides = new Set();
  for (const path of paths) {
    const html = await (await fetch('/' + path)).text();
    const { body } = new DOMParser().parseFromString(html, 'text/html');
    const side = body.querySelector('.VPSidebar');
    if (side && sides.has(side.textContent)) side.remove();
    else if (side) sides.add(side.textContent);
    document.body.innerHTML = body.innerHTML;
    await Promise.all([...document.images].map((image) => image.decode()));
    const width = document.documentElement.scrollWidth;
    if (width > window.innerWidth) wide.push(path + ': ' + width);
  }
  return wide;
}`;

describe('the site in a browser', () => {
  const { visit } = siteInABrowser();

  it('finds a hook by its name', () =>
    visit('/', async (page) => {
      await page.getByRole('button', { name: 'Search' }).first().click();
      await page.getByRole('searchbox').fill('tool-result-limit');
      await page.locator('.result[href^="/hooks/tool-result-limit.html"]').first().click();
      await page.getByRole('heading', { level: 1, name: 'tool-result-limit' }).waitFor();
      expect(page.errors).to.deep.equal([]);
    }));

  it('leads from the start page to a function, and from there to the type of its parameter', () =>
    visit('/', async (page) => {
      const main = page.getByRole('main');
      await page.getByRole('link', { name: 'API' }).first().click();
      await main.getByRole('link', { name: 'hookline', exact: true }).click();
      await main.getByRole('link', { name: 'defineHook', exact: true }).click();
      await main.getByText('Creates a hook from its definition.').waitFor();
      await main.getByRole('link', { name: 'HookDefinition' }).first().click();
      await main.getByRole('heading', { level: 3, name: 'approve?' }).waitFor();
      await page.getByRole('link', { name: 'hookline/testing' }).click();
      await main.getByRole('heading', { level: 1, name: 'hookline/testing' }).waitFor();
      expect(page.errors).to.deep.equal([]);
    }));

  it('finds a name of the API', () =>
    visit('/', async (page) => {
      await page.getByRole('button', { name: 'Search' }).first().click();
      await page.getByRole('searchbox').fill('createLiveHooks');
      await page.locator('.result[href^="/api/hookline/config/functions/createLiveHooks.html"]').first().click();
      await page.getByRole('heading', { level: 1, name: 'createLiveHooks' }).waitFor();
      expect(page.errors).to.deep.equal([]);
    }));

  it('has a menu on a phone', () =>
    visit(
      '/guides/secrets.html',
      async (page) => {
        await page.getByRole('button', { name: 'Menu' }).click();
        await page.getByRole('link', { name: 'Approvals', exact: true }).click();
        await page.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor();
        expect(page.errors).to.deep.equal([]);
      },
      phone,
    ));

  it('has no page wider than a phone', () =>
    visit(
      '/',
      async (page) => {
        const paths = filesOfSite().filter((file) => file.endsWith('.html'));
        expect(await page.evaluate<readonly string[]>(`(${widePages})(${JSON.stringify(paths)})`)).to.deep.equal([]);
        expect(paths.length).to.be.greaterThan(700);
      },
      // The width does not depend on scripts.
      { ...phone, javaScriptEnabled: false },
    ));
});
