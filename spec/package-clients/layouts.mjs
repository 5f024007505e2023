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
    // Whether a subpath needs another does not depend on the layout.
    const lists = name === 'npm' ? subpaths.map((path) => [path]) : [subpaths];
    attempt(`${name}: each subpath loads, or says what to install`, () => loads(project, lists));
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

/** Each name of a subpath is the same thing whichever way it is loaded. Each list of subpaths has a process of its own. */
function loads({ node, write }, lists) {
  write(
    'same.mjs',
    `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
for (const path of process.argv.slice(2)) {
  const [required, imported] = await Promise.allSettled([(async () => require(path))(), import(path)]);
  const failed = [required, imported].filter(({ status }) => status === 'rejected');
  if (failed.some(({ reason }) => !/Run: npm install \\S/.test(reason?.message))) throw failed[0].reason;
  if (failed.length > 0) {
    if (failed.length < 2) throw new Error(path + ' loads in one way only');
    console.log(path);
    continue;
  }
  const names = Object.keys(required.value);
  const other = names.filter((name) => !(name in imported.value) || imported.value[name] !== required.value[name]);
  if (names.length === 0 || other.length > 0) throw new Error(path + ' is not the same: ' + other);
}`,
  );
  const lacking = lists.flatMap((list) => node('same.mjs', ...list).split('\n')).filter(Boolean);
  return `${lists.flat().length} subpaths; ${lacking.join(', ')} needs more`;
}

function commandsTeach({ tryNode, bin, write }) {
  write('module.yaml', 'hooks:\n  own: { type: module, path: ./own.ts }\n');
  write('own.ts', 'export default [];\n');
  for (const [words, help] of Object.entries(LACKING)) {
    const { status, stdout, stderr } = tryNode(bin('hookline/dist/cli/main.js'), ...words.split(' '));
    demand(status === 2 && `${stdout}${stderr}`.includes(help), `${words}: ${status} ${stdout}${stderr}`);
  }
}
