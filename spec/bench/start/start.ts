import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '../../temp-folder.ts';
import type { BenchResult } from '../result.ts';
import { medians } from './medians.ts';

const root = join(__dirname, '../../..');
const CONFIG = 'hooks:\n  audit: { type: audit-log }\n  ask: { type: dangerous-confirmation }\n';

/** What it costs to load the built package, and to start its command: whole processes, from their beginning to their end. */
export function startBench(): readonly BenchResult[] {
  const main = join(root, 'dist/cli/main.js');
  if (!existsSync(main)) throw new Error('The start is measured on the built package. Run: npm run build');
  const config = join(tempFolder('bench-start'), 'hookline.yaml');
  const text = join(tempFolder('bench-scan'), 'hello.txt');
  writeFileSync(config, CONFIG);
  writeFileSync(text, 'hello\n');
  const cases = join(tempFolder('bench-cases'), 'many.cases.json');
  writeFileSync(
    cases,
    JSON.stringify({ policy: policyFile(), cases: Array.from({ length: 1_000 }, (_, at) => caseOf(at)) }),
  );
  const ms = medians({
    node: ['-e', '0'],
    peers: ['-e', `require('rxjs'); require('zod')`],
    hookline: ['-e', `require('./dist/index.js')`],
    version: [main, '--version'],
    check: [main, 'check', config],
    redaction: ['-e', `require('./dist/redaction/index.js')`],
    text: ['-e', `require('./dist/redaction/index.js').createRedactor().redact('hello')`],
    scan: [main, 'scan', text],
    cases: [main, 'test', cases],
  });
  const row = (name: string, value: number, most: number): BenchResult => ({ name, unit: 'x', value, most });
  return [
    row('loading hookline, over rxjs and zod', ms['hookline']! / ms['peers']!, 1.25),
    row('hookline --version, over node -e 0', ms['version']! / ms['node']!, 2),
    row('hookline check of a file without modules, over node -e 0', ms['check']! / ms['node']!, 4),
    row('the first text of a redactor, over node -e 0', (ms['text']! - ms['redaction']!) / ms['node']!, 1),
    row('hookline scan of one line, over node -e 0', ms['scan']! / ms['node']!, 4),
    row('hookline test with a thousand cases, over node -e 0', ms['cases']! / ms['node']!, 20),
  ];
}

function policyFile(): string {
  const file = join(tempFolder('bench-policy'), 'hookline.yaml');
  writeFileSync(
    file,
    'hooks: { rules: { type: permission, options: { allow: ["run_command(git:*)"], deny: ["Read(.env)"] } } }\n',
  );
  return file;
}

const caseOf = (at: number) => ({
  call: { tool: 'run_command', input: { command: `git log -${at}` } },
  expect: 'allow',
});
