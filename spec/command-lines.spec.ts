import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import type { Command } from 'commander';
import { createProgram } from '../lib/cli/create-program.ts';
import { command, environment, folder, type Outcome, outcomeOf, root } from './cli/hookline.ts';

/*
 * The commands of README and the command line guide run as printed, in a project with the installed package or in this repository. Commands and
 * options in the guides exist. Those of the server guide run against a server.
 */

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const guides = readdirSync(join(root, 'samples'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md') && !/^hooks\/.+\//.test(name))
  .map((name) => join('samples', name));

const COMMANDS = 'samples/command-line/README.md';

/** Lines of the shell blocks of a page, without comments. */
const linesOf = (page: string): string[] =>
  [...read(page).matchAll(/```sh\n([\s\S]*?)\n```/g)]
    .flatMap(([, block]) => block!.split('\n'))
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter((line) => line !== '');

const SOAK = process.env['HOOKLINE_SOAK'] !== undefined;
const BIN = 'node_modules/.bin/hookline';
const COMMAND = command.map((part) => `'${part}'`).join(' ');
const OTHERS: Readonly<Record<string, string>> = { 'npx hookline': BIN, 'npm run -s hookline --': COMMAND };

/** A project after `npm i hookline`, as far as the command line needs it. */
function project(): string {
  const made = folder({
    'package.json': '{ "name": "mine", "private": true }',
    'README.md': '# Mine\n',
    'notes.txt': 'old\n',
    'hookline.yaml': 'hooks: { audit: { type: audit-log, options: { file: audit.jsonl } } }\n',
    [BIN]: `#!/bin/sh\nexec ${COMMAND} "$@"\n`,
  });
  chmodSync(join(made, BIN), 0o755);
  return made;
}

/** The first command of `npx` and of `npm run` starts as printed. Both only find the program, or compile it, so the others start without them. */
const started = new Set<string>();

function shell(line: string, cwd: string, env: NodeJS.ProcessEnv = {}): ChildProcess {
  const found = line.replaceAll(/npx hookline|npm run -s hookline --/g, (printed) => {
    if (!SOAK && started.has(printed)) return OTHERS[printed] ?? printed;
    started.add(printed);
    return printed;
  });
  return spawn('bash', ['-o', 'pipefail', '-c', found], { cwd, env: environment(env), detached: true });
}

async function run(line: string, cwd: string, env?: NodeJS.ProcessEnv): Promise<Outcome> {
  const child = shell(line, cwd, env);
  child.stdin!.end();
  return outcomeOf(child);
}

describe('the commands of README and of the command line guide', () => {
  let model: Server;
  let at: string;

  before(async () => {
    const answer = read('spec/fixtures/openai/text.sse');
    model = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${answer}data: [DONE]\n\n`);
    }).listen(0, '127.0.0.1');
    await once(model, 'listening');
    at = project();
  });

  after(() => model.close());

  it('has only commands of tested kinds', () => {
    for (const line of [...linesOf('README.md'), ...linesOf(COMMANDS)])
      expect(line).to.match(/^(npm (ci|cit|start|pack|i|run)\b|npx hookline |cat )/);
  });

  it('runs the same install and tests as .ci/run', () => {
    expect(linesOf('README.md').slice(0, 2)).to.deep.equal(['npm ci && npm start', 'npm cit']);
    const steps = read('.ci/run');
    for (const step of [/^npm ci\b/m, /^npm start\b/m, /^npm test\b/m]) expect(steps).to.match(step);
  });

  it('installs the package with its dependencies', () => {
    const { name, version, dependencies = {}, peerDependencies = {} } = JSON.parse(read('package.json'));
    const [install] = linesOf('README.md').filter((line) => line.startsWith('npm i '));
    const [first, ...others] = install!.split(' ').slice(2);
    // The file that `npm pack` writes.
    expect(first).to.match(new RegExp(`/${name}-${version}\\.tgz$`));
    expect({ ...dependencies, ...peerDependencies }).to.include.keys(...others);
  });

  for (const line of linesOf(COMMANDS).filter((line) => /hookline (-- )?(run|scan|list|check)\b/.test(line))) {
    it(`exits with 0: \`${line}\``, async () => {
      // No model is served at the printed address here.
      const { port } = model.address() as AddressInfo;
      const own = line.replace('localhost:11434', `127.0.0.1:${port}`);
      const { code, stdout, stderr } = await run(own, line.startsWith('npm run') ? root : at);
      expect(code, stderr).to.equal(0);
      if (!line.includes('scan README')) expect(stdout.trim(), stderr).not.to.equal('');
    });
  }
});

describe('the commands of the guides', () => {
  const program = createProgram();
  // Commands are loaded on demand. The help loads all of them.
  program.configureOutput({ writeOut: () => {} }).outputHelp();
  const find = (holder: Command, name: string | undefined) => holder.commands.find((one) => one.name() === name);

  for (const page of ['README.md', ...guides]) {
    const lines = [...read(page).matchAll(/\bhookline (?:-- )?([a-z-]+(?: (?!-)[^\s`|]+)*(?: [^`\n|]*)?)/g)]
      .map(([, line]) => line!)
      .filter((line) => find(program, line.split(' ')[0]));

    it(`uses only existing commands and options in ${page}`, () => {
      for (const line of lines) {
        const [first, second] = line.split(' ');
        const top = find(program, first)!;
        const command = find(top, second) ?? top;
        const own = line.split(' -- ')[0]!.split(/\s[#|]/)[0]!;
        for (const [, flag] of own.matchAll(/\s(--[a-z-]+)/g))
          expect(['--help', ...command.options.map(({ long }) => long)], line).to.include(flag);
      }
    });
  }
});

describe('guide commands that try a hook or explain a call', () => {
  const files = [
    'other-hosts/guard.sh',
    'weather-plugin/weather-plugin.mjs',
    'process-hook-2/mask-word.mjs',
    'process-hook-2/mask_word.py',
  ];
  let at: string;

  before(() => {
    at = project();
    for (const file of files) copyFileSync(join(root, 'samples', file), join(at, basename(file)));
  });

  const lines = guides.flatMap(linesOf).filter((line) => /^echo .*\.json$|hookline (try-hook|explain) /.test(line));

  for (const line of new Set(lines))
    it(`returns an answer: \`${line}\``, async () => {
      const { code, stdout, stderr } = await run(line, at);
      expect(code, stderr).to.equal(0);
      expect(stdout).not.to.match(/^fail\b|skipped/m);
      expect(stderr).to.equal('');
    });
});

describe('the commands of the server guide', () => {
  const lines = linesOf('samples/server/README.md');
  let child: ChildProcess;
  let url = '';
  let token = '';

  before(async () => {
    const serve = lines.find((line) => line.includes(' serve '))!;
    // The printed port may be in use on this machine.
    child = shell(`exec ${serve} --port 0 --state state`, project());
    let told = '';
    for (const stream of [child.stdout!, child.stderr!])
      stream.setEncoding('utf8').on('data', (text) => (told += text));
    while (!/listening url (\S+)/.test(told) || !/hlk_/.test(told)) {
      if (child.exitCode !== null) throw new Error(`the server has ended: ${told}`);
      await Promise.race([once(child.stdout!, 'data'), once(child.stderr!, 'data'), once(child, 'exit')]);
    }
    url = /listening url (\S+)/.exec(told)![1]!;
    token = /hlk_[\w-]+/.exec(told)![0];
  });

  after(async () => {
    process.kill(-child.pid!, 'SIGTERM');
    await once(child, 'close');
  });

  for (const line of lines.filter((line) => line.startsWith('curl'))) {
    it(`gets an answer: \`${line.slice(-60)}\``, async () => {
      const { code, stdout, stderr } = await run(line.replace('http://127.0.0.1:8787', url), root, { TOKEN: token });
      expect(code, stderr).to.equal(0);
      expect(JSON.parse(stdout)).not.to.have.property('error');
    });
  }
});
