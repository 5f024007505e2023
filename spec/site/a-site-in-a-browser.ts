import type { Browser } from 'playwright-core';
import { launch, type OpenedPage, openPage } from '../server/page/a-browser.ts';
import { serveSite } from './a-site.ts';

type Options = Parameters<typeof openPage>[2];

/** Serves the site and starts a browser for the specs of a file. `visit` opens a page, and closes it after the check. */
export function siteInABrowser(): {
  visit(path: string, check: (page: OpenedPage, url: string) => Promise<void>, options?: Options): Promise<void>;
} {
  let browser: Browser | undefined;
  let site: Awaited<ReturnType<typeof serveSite>> | undefined;

  before(async function () {
    browser = await launch(this);
    site = await serveSite();
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });

  return {
    async visit(path, check, options = {}) {
      if (!browser || !site) throw new Error('The browser has not started.');
      const page = await openPage(browser, site.url + path, options);
      try {
        await check(page, site.url);
      } finally {
        await page.context().close();
      }
    },
  };
}
