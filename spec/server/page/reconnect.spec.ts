import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { tempFolder } from '../../temp-folder.ts';
import { launch, openPage } from './a-browser.ts';

const ROOT = join(__dirname, '../../..');
const STORY = 'Write the release notes and put them online.';

describe('the page after its server is killed and restarted', () => {
  let browser: Browser;
  const servers: ChildProcess[] = [];
  before(async function () {
    browser = await launch(this);
  });
  after(async () => {
    await browser?.close();
    for (const server of servers) server.kill('SIGKILL');
  });

  async function serve(folder: string, port: string): Promise<string> {
    const child = [join(__dirname, 'screen.child.ts'), folder, port];
    const server = spawn(process.execPath, ['-C', 'hookline:source', '-r', 'ts-node/register', ...child], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    servers.push(server);
    const [url] = await once(createInterface(server.stdout!), 'line');
    return url;
  }

  it('reconnects, and shows active runs, pending calls and new events once', async () => {
    const folder = tempFolder('screen');
    const url = await serve(folder, '0');
    const { origin, port } = new URL(url);
    const token = url.split('token=')[1];
    const start = async (prompt: string) => {
      const answer = await fetch(`${origin}/api/runs`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ prompt }),
      });
      return ((await answer.json()) as { runId: string }).runId;
    };
    const [now, watching] = [await openPage(browser, url), await openPage(browser, url)];
    // The list draws only visible rows: on this page, all.
    await watching.setViewportSize({ width: 1_280, height: 3_000 });
    await start('Pay the invoice of the printer.');
    await now.getByText('Really pay this?').waitFor();
    const run = await start(STORY);
    await watching.goto(`${origin}/#/runs/${run}`);
    await watching.getByRole('option').first().waitFor();

    const [first] = servers as [ChildProcess];
    first.kill('SIGKILL');
    await once(first, 'exit');
    await now.getByText('Reconnecting…').waitFor();
    expect(await now.getByRole('status').textContent()).to.include('connection to the server is lost');

    await serve(folder, port);
    await now.getByText('Live', { exact: true }).waitFor();
    await watching.getByText('Live', { exact: true }).waitFor();
    expect(await now.getByRole('article').count()).to.equal(1);
    await start('Watch the queue.');
    await now.getByText('Watch the queue.').waitFor();
    await now.getByRole('button', { name: /Approve/ }).click();
    await now.locator('.given', { hasText: 'Approved by you' }).waitFor();
    // No event appears twice.
    const shown = await watching.getByRole('option').allTextContents();
    expect(shown.filter((row) => row.startsWith('preCall') && row.includes(STORY))).to.have.length(1);
    expect(
      [...now.errors, ...watching.errors].filter(
        (error) => !/ERR_(?:INCOMPLETE|EMPTY|CONNECTION)|status of 400/.test(error),
      ),
    ).to.deep.equal([]);
  });
});
