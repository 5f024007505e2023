import { expect } from 'chai';
import { filesOfSite } from './a-site.ts';
import { siteInABrowser } from './a-site-in-a-browser.ts';

const phone = { viewport: { width: 390, height: 844 } };

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

  it('opens the API reference', () =>
    visit('/', async (page) => {
      await page.getByRole('link', { name: 'API' }).first().click();
      await page.waitForURL(/\/api\/index\.html$/);
      expect(await page.title()).to.match(/^Hookline/);
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
      async (page, url) => {
        const wide: string[] = [];
        const paths = filesOfSite().filter((file) => file.endsWith('.html') && !file.startsWith('api/'));
        for (const path of paths) {
          await page.goto(`${url}/${path}`);
          const width = await page.evaluate<number>('document.documentElement.scrollWidth');
          if (width > phone.viewport.width) wide.push(`${path}: ${width}`);
        }
        expect(wide).to.deep.equal([]);
        expect(paths.length).to.be.greaterThan(60);
      },
      // The width does not depend on scripts, and pages load faster without them.
      { ...phone, javaScriptEnabled: false },
    ));
});
