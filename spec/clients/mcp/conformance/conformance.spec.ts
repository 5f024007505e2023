import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { createMcpProxy, type McpListening } from '../../../../lib/adapters/mcp/index.ts';
import { createPipeline, defineHook } from '../../../../lib/index.ts';
import { silentLogger } from '../../../../lib/pipeline/logger.ts';
import { recorder } from '../../../../lib/testing/index.ts';
import { tempFolder } from '../../../temp-folder.ts';

const modules = join(__dirname, '../../node_modules');
/** The suites require Node 22. Their package includes one for some machines. */
const brought = join(modules, `node-${process.platform}-${process.arch}`, 'bin/node');
const node =
  Number(process.versions.node.split('.')[0]) >= 22 ? process.execPath : existsSync(brought) ? brought : undefined;

/** The checks of a suite on a server, each with its result. */
async function checksOf(suite: string, url: string, more: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const folder = tempFolder('conformance-');
  const main = join(modules, suite, 'dist/index.js');
  const child = spawn(node as string, [main, 'server', '--url', url, '-o', folder, ...more], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await Promise.all([text(child.stdout), text(child.stderr)]);
  const checks = new Map<string, string>();
  for (const run of readdirSync(folder)) {
    const scenario = run.replace(/-\d{4}-.*$/, '');
    const seen = new Map<string, number>();
    for (const { id, status } of JSON.parse(readFileSync(join(folder, run, 'checks.json'), 'utf8'))) {
      const times = (seen.get(id) ?? 0) + 1;
      seen.set(id, times);
      checks.set(`${scenario} ${id} ${times}`, status);
    }
  }
  return checks;
}

const passed = (checks: ReadonlyMap<string, string>) =>
  [...checks].flatMap(([name, status]) => (status === 'SUCCESS' ? [name] : []));

describe('the conformance suites of MCP', function () {
  this.timeout(180_000);
  let server: ChildProcess;
  let url = '';
  let proxy: McpListening;
  const recorded = recorder();

  before(async function () {
    if (!node) {
      console.info('skipped: the conformance suites want Node 22, and there is none for this machine');
      this.skip();
    }
    server = spawn(process.execPath, [join(__dirname, 'fixture-server.cjs')], { stdio: ['ignore', 'pipe', 'ignore'] });
    const port = await new Promise<string>((resolve) =>
      createInterface({ input: server.stdout! }).once('line', resolve),
    );
    url = `http://127.0.0.1:${port}/mcp`;
    // Hooks that only read.
    const looks = defineHook({
      name: 'looks',
      redact: (said) => said,
      on: { postActing: (e) => e, preReasoning: (e) => e },
    });
    const pipeline = createPipeline([looks, recorded], { log: silentLogger });
    proxy = await createMcpProxy({ pipeline, log: silentLogger }).listen({ url });
  });
  after(async () => {
    await proxy?.close();
    server?.kill();
  });

  for (const [revision, suite, least, ...more] of [
    ['2025-11-25', 'conformance-2025', 44, '--suite', 'all'],
    ['2026-07-28', 'conformance-2026', 145, '--requirements', '2026-07-28'],
  ] as const) {
    it(`lose no check of ${revision} through the proxy`, async () => {
      const direct = passed(await checksOf(suite, url, more));
      const calls = recorded.of('preActing').length;
      const through = new Set(passed(await checksOf(suite, proxy.url, more)));
      expect(direct.length).to.be.at.least(least);
      expect(recorded.of('preActing').length - calls).to.be.greaterThan(10);
      expect(direct.filter((name) => !through.has(name))).to.deep.equal([]);
    });
  }
});
