import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { attempt, demand } from './attempt.mjs';
import { compile } from './compile.mjs';
import { createProject } from './project.mjs';

const PEERS = ['rxjs', 'zod'];
const PRINTS = ['Let me look.', '[weather: It is 18 °C in Oslo.]', 'Take a coat.', ''].join('\n');

/** What lacks a package that it needs, and what it says to do. */
const LACKING = {
  serve: 'npm install hono @hono/node-server',
  'token list': 'npm install hono @hono/node-server',
  'run hi --model openai-compatible:any --base-url http://127.0.0.1:9': 'npm install @ai-sdk/openai-compatible',
  'check module.yaml': 'npm install ts-node typescript',
};

/** Installs the package beside rxjs and zod alone, as npm and as pnpm lay it out, and tries there README's example and each subpath. */
export function tryLayouts(tools, { filename }, readme, subpaths) {
  const [, example] = /<!-- samples\/sixty-seconds.ts -->\n```ts\n([\s\S]*?)\n```/.exec(readme);
  const installed = JSON.parse(readFileSync(join(tools.at, 'package.json'), 'utf8')).dependencies;
  for (const [name, install] of Object.entries({
    npm: ({ run }) => run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts']),
    pnpm: ({ node, at }) =>
      node(tools.bin('pnpm/bin/pnpm.cjs'), 'install', '--ignore-scripts', '--store-dir', join(at, 'store')),
  })) {
    const project = createProject(`clients-${name}`);
    const { rxjs, zod, typescript, '@types/node': types } = installed;
    const dependencies = { hookline: `file:${join(tools.at, filename)}`, rxjs, zod, typescript, '@types/node': types };
    project.write('package.json', JSON.stringify({ name: `with-${name}`, private: true, dependencies }));
    attempt(`${name}: installs`, () => void install(project));
    attempt(`${name}: one copy of rxjs and of zod`, () => oneCopy(project));
    attempt(`${name}: README's example compiles and runs`, () => {
      project.write('example.mts', example);
      const options = { module: 'nodenext', lib: ['es2023'], types: ['node'], skipLibCheck: false };
      compile(project, ['example.mts'], options);
      const printed = project.node('example.mjs');
      demand(printed === PRINTS, `it prints ${printed}`);
    });
    attempt(`${name}: each subpath loads, or says what to install`, () => loads(project, subpaths));
    attempt(`${name}: each command says what to install where it needs more`, () => commandsTeach(project));
  }
}

/** The package has the very rxjs and zod that the project has, and there is no other. */
function oneCopy({ bin, at }) {
  const requireFrom = (file) => createRequire(realpathSync(file));
  const files = readdirSync(bin('.'), { recursive: true, encoding: 'utf8' });
  for (const peer of PEERS) {
    const copies = files.filter((file) =>
      join('node_modules', file).endsWith(join('node_modules', peer, 'package.json')),
    );
    const found = new Set(copies.map((file) => realpathSync(bin(file))));
    demand(found.size === 1, `${peer}: ${[...found].join(', ')}`);
    const [own, its] = [join(at, 'package.json'), bin('hookline/package.json')].map((file) =>
      requireFrom(file).resolve(peer),
    );
    demand(own === its, `${peer}: ${own}, and for hookline ${its}`);
  }
}

/** Each name of a subpath is the same thing whichever way it is loaded. */
function loads({ tryNode, write }, subpaths) {
  write(
    'same.mjs',
    `import { createRequire } from 'node:module';
const [imported, required] = [await import(process.argv[2]), createRequire(import.meta.url)(process.argv[2])];
const names = Object.keys(required);
const other = names.filter((name) => !(name in imported) || imported[name] !== required[name]);
if (names.length === 0 || other.length > 0) throw new Error('not the same: ' + other);`,
  );
  const lacking = new Set();
  for (const path of subpaths) {
    for (const args of [
      ['-e', `require('${path}')`],
      ['same.mjs', path],
    ]) {
      const { status, stderr } = tryNode(...args);
      if (status === 0) continue;
      demand(/Run: npm install \S/.test(stderr), `${path}: ${stderr}`);
      lacking.add(path);
    }
  }
  return `${subpaths.length} subpaths; ${[...lacking].join(', ')} needs more`;
}

function commandsTeach({ tryNode, bin, write }) {
  write('module.yaml', 'hooks:\n  own: { type: module, path: ./own.ts }\n');
  write('own.ts', 'export default [];\n');
  for (const [words, help] of Object.entries(LACKING)) {
    const { status, stdout, stderr } = tryNode(bin('hookline/dist/cli/main.js'), ...words.split(' '));
    demand(status === 2 && `${stdout}${stderr}`.includes(help), `${words}: ${status} ${stdout}${stderr}`);
  }
}
