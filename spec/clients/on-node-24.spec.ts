import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';

const root = join(__dirname, '../..');
const brought = join(__dirname, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin/node');

/** The reason to skip, if any. */
function whyNot(): string | undefined {
  if (Number(process.versions.node.split('.')[0]) >= 22) return 'this Node is as new as they want it';
  return existsSync(brought) ? undefined : `npm brings no Node for ${process.platform} ${process.arch}`;
}

/** Their packages declare Node 22. They also run on Node 20, as the specs in this folder show. */
describe('hooks on loops that require a newer Node', () => {
  for (const room of ['strands', 'mastra'])
    it(`keep the contract of ${room} on Node 24`, async function () {
      this.timeout(180_000);
      const reason = whyNot();
      if (reason !== undefined) {
        process.stderr.write(`skipped: ${room} on Node 24, since ${reason}\n`);
        return this.skip();
      }
      const { version, passed, failed } = await mocha(join('spec/clients', room, 'contract.spec.ts'));
      expect(failed).to.deep.equal([]);
      expect(version).to.match(/^v24\./);
      expect(passed).to.be.greaterThan(50);
    });
});

interface Told {
  readonly version: string;
  readonly passed: number;
  readonly failed: readonly string[];
}

async function mocha(file: string): Promise<Told> {
  const options = ['--no-config', '-n', 'conditions=hookline:source', '-r', 'ts-node/register', '--reporter', 'json'];
  const run = promisify(execFile);
  const { stdout: version } = await run(brought, ['--version']);
  const main = join(root, 'node_modules/mocha/bin/mocha.js');
  const child = await run(brought, [main, ...options, '--timeout', '60000', file], { cwd: root, maxBuffer: 1e8 }).catch(
    (failure: { readonly stdout: string; readonly stderr: string }) => failure,
  );
  const json = child.stdout.slice(child.stdout.indexOf('{\n'));
  if (json === '') throw new Error(`mocha has said nothing: ${child.stderr}`);
  const { stats, failures } = JSON.parse(json) as Results;
  return {
    version: version.trim(),
    passed: stats.passes,
    failed: failures.map(({ fullTitle, err }) => `${fullTitle}: ${err.message}`),
  };
}

interface Results {
  readonly stats: { readonly passes: number };
  readonly failures: readonly { readonly fullTitle: string; readonly err: { readonly message: string } }[];
}
