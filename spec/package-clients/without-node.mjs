import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt, demand } from './attempt.mjs';

/** Packages of the host, which its own bundle has. */
const PEERS = ['ai', '@ai-sdk/*', '@langchain/*', 'langchain', '@openai/*', '@strands-agents/*', '@mastra/*'];
/** The conditions of bundlers for edge runtimes. */
const EDGES = { workerd: ['workerd', 'worker', 'browser'], 'edge-light': ['edge-light', 'worker', 'module', 'import'] };

/** Which entry points and hooks bundle for browsers and edge runtimes: those that the guide names, and no others. */
export function tryWithoutNode({ at, bin, node, tryNode, write }, guide) {
  /** Bundles files together. Returns the error, or `undefined` if no bundle needs Node. */
  function problem(entries, conditions) {
    const options = ['--bundle', '--format=esm', '--platform=browser', '--log-level=error', '--outdir=without-node'];
    const more = [...PEERS.map((one) => `--external:${one}`), ...(conditions ? [`--conditions=${conditions}`] : [])];
    const { status, stderr } = tryNode(bin('esbuild/bin/esbuild'), ...entries, ...options, ...more);
    if (status !== 0) return stderr;
    const texts = entries.map((entry) => readFileSync(join(at, 'without-node', entry.replace('.mjs', '.js')), 'utf8'));
    // An optional package is loaded in a try block.
    const needs = /from ?["']node:[^"']+|require\("(?!gpt-tokenizer)[^"]+"\)/;
    return texts.map((text) => needs.exec(text)?.[0]).find(Boolean);
  }

  const rows = [...guide.matchAll(/^\| `(hookline[^`]*)` +\| (yes|no|in part) +\|/gm)];
  const told = (answer) => rows.filter((row) => row[2] === answer).map(([, path]) => path);
  const entryOf = (path) => write(`${path.replaceAll('/', '-')}.mjs`, `export * from '${path}';`);

  attempt('browser: the entry points of the guide', () => {
    demand(told('yes').length > 8, 'the guide has no table of entry points');
    const failed = problem(told('yes').map(entryOf));
    demand(failed === undefined, failed);
    for (const path of told('no')) demand(problem([entryOf(path)]) !== undefined, `${path} needs nothing of Node`);
    return told('yes').length;
  });

  const named = /each without the others: ([^.]+)\./.exec(guide)?.[1] ?? '';
  const hooks = [...named.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  const files = () => hooks.map((name) => write(`only-${name}.mjs`, `export { ${name} } from 'hookline/hooks';`));
  for (const [name, conditions] of [['browser'], ...Object.entries(EDGES)]) {
    attempt(`${name}: each hook that needs nothing of Node`, () => {
      demand(hooks.length > 10, 'the guide names no hooks');
      const failed = problem(files(), conditions);
      demand(failed === undefined, failed);
      const one = readFileSync(join(at, 'without-node/only-toolRetry.js'), 'utf8');
      demand(!one.includes('tool-cache'), 'a bundle with one hook has others');
      return hooks.length;
    });
  }

  attempt('the guide names all hooks that need nothing of Node', () => {
    const code = `const all = require('hookline/hooks'); const some = require('./node_modules/hookline/dist/hooks/portable.js');
      console.log(JSON.stringify(Object.keys(some).filter((name) => all.builtIns.some((one) => one.name.replace(/-./g, ([, c]) => c.toUpperCase()) === name))))`;
    const portable = JSON.parse(node('-e', code)).sort();
    demand(JSON.stringify(portable) === JSON.stringify([...hooks].sort()), portable.join(', '));
  });

  attempt('a hook from a bundle for the edge runs', () => {
    const entry = write(
      'edge.mjs',
      `export { createPipeline, defineHook } from 'hookline';\nexport { toolRetry } from 'hookline/hooks';`,
    );
    const failed = problem([entry], EDGES.workerd);
    demand(failed === undefined, failed);
    write(
      'use-edge.mjs',
      `import { createPipeline, toolRetry } from './without-node/edge.js';\nconsole.log(createPipeline([toolRetry()]).hooks.length);`,
    );
    demand(node('use-edge.mjs').trim() === '1', 'the hook is not in the pipeline');
  });
}
