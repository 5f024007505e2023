import { attempt } from './attempt.mjs';
import { compile } from './compile.mjs';

const nodenext = { module: 'nodenext' };
const bundler = { module: 'esnext', moduleResolution: 'bundler' };
const dom = { lib: ['es2023', 'dom'], types: [] };
const node = { lib: ['es2023'], types: ['node'] };

/** Subpaths that need nothing of Node, and those that do. */
const ANYWHERE = ['hookline', 'hookline/testing', 'hookline/redaction', 'hookline/ai-sdk', 'hookline/offline'];

/** Compiles a client without `skipLibCheck`, with the types of a browser or of Node. */
export function tryTypes(project, subpaths) {
  project.write(
    'main.mts',
    `import { createPipeline, defineHook, deny, type PreActing } from 'hookline';
export const refuse = (event: PreActing): PreActing => deny(event, 'no');
export const pipeline = createPipeline([defineHook({ name: 'guard', on: { preActing: refuse } })]);`,
  );
  const all = (names) => names.map((name, at) => `export * as part${at} from '${name}';`).join('\n');
  project.write('anywhere.mts', all(ANYWHERE));
  project.write('all.mts', all(subpaths));
  for (const [name, options] of Object.entries({
    'nodenext, @types/node': { ...nodenext, ...node },
    'nodenext, lib dom': { ...nodenext, ...dom },
    'bundler, @types/node': { ...bundler, ...node },
    'bundler, lib dom': { ...bundler, ...dom },
  })) {
    const files = ['main.mts', options.types.length > 0 ? 'all.mts' : 'anywhere.mts'];
    attempt(`TypeScript: ${name}`, () => compile(project, files, { ...options, noEmit: true }));
  }
}
