import { attempt, demand } from './attempt.mjs';
import { compile } from './compile.mjs';

const nodenext = { module: 'nodenext' };
const bundler = { module: 'esnext', moduleResolution: 'bundler' };
const dom = { lib: ['es2023', 'dom'], types: [] };
const node = { lib: ['es2023'], types: ['node'] };

/** Entry points whose types need those of Node. */
const OF_NODE = ['hookline/server', 'hookline/nats', 'hookline/mcp'];

/** Compiles a client without `skipLibCheck`, with the types of a browser or of Node. */
export function tryTypes(project, subpaths) {
  project.write(
    'main.mts',
    `import { createPipeline, defineHook, deny, type PreActing } from 'hookline';
export const refuse = (event: PreActing): PreActing => deny(event, 'no');
export const pipeline = createPipeline([defineHook({ name: 'guard', on: { preActing: refuse } })]);`,
  );
  const all = (names) => names.map((name, at) => `export * as part${at} from '${name}';`).join('\n');
  project.write('anywhere.mts', all(subpaths.filter((path) => !OF_NODE.includes(path))));
  project.write('all.mts', all(subpaths));
  for (const [name, options] of Object.entries({
    'nodenext, @types/node': { ...nodenext, ...node },
    'nodenext, lib dom': { ...nodenext, ...dom },
    'bundler, @types/node': { ...bundler, ...node },
    'bundler, lib dom': { ...bundler, ...dom },
  })) {
    const files = ['main.mts', options.types.length > 0 ? 'all.mts' : 'anywhere.mts'];
    attempt(`TypeScript: ${name}`, () => {
      const read = compile(project, files, { ...options, noEmit: true, listFiles: true });
      // The types of a package such as pino would bring those of Node, where they are installed.
      demand(options.types.length > 0 || !read.includes('@types/node'), 'the types need @types/node');
    });
  }
}
