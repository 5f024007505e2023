import { existsSync } from 'node:fs';
import type { Context } from 'mocha';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const PLACES = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const path = PLACES.find((place) => place !== undefined && existsSync(place));

/** Starts chromium. Without it, the specs that require it are skipped with a message. */
export function launch(mocha?: Context): Promise<Browser> {
  if (path === undefined && mocha) {
    console.log('      passed over: there is no chromium to show the page in');
    mocha.skip();
  }
  return chromium.launch({ executablePath: path ?? 'chromium', args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/** A page, with its unexpected events: errors, and requests to other hosts. */
export interface OpenedPage extends Page {
  readonly errors: string[];
}

export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, colorScheme: 'dark', ...options });
  const errors: string[] = [];
  const page = Object.assign(await context.newPage(), { errors });
  page.setDefaultTimeout(60_000);
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of (?:404|409|422)|ERR_CONNECTION_REFUSED/.test(message.text()))
      errors.push(message.text());
  });
  page.on('request', (request) => {
    if (!/^(?:http:\/\/127\.0\.0\.1:|data:|blob:)/.test(request.url())) errors.push(`asked for ${request.url()}`);
  });
  await page.goto(url);
  return page;
}
