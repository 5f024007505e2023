import { readFileSync } from 'node:fs';
import { register } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { MessageChannel } from 'node:worker_threads';

/**
 * Runs in Node's loader thread. `hookline` becomes a module that re-exports the running copy, so that the copy that creates hooks also runs them. This also
 * works from TypeScript sources, which ES modules cannot import.
 */
const LOADER = `
let own;
export function initialize(data) { own = data; }
export async function resolve(specifier, context, next) {
  const names = own.names[specifier];
  try {
    const found = await next(specifier, context);
    if (!names || !found.url.endsWith('.ts')) return found;
  } catch (error) {
    if (!names && !/^(?:rxjs|zod|pino)(?:\\/|$)/.test(specifier)) throw error;
    if (!names) return next(specifier, { ...context, parentURL: own.parent });
  }
  return { url: 'hookline-own:' + specifier, format: 'module', shortCircuit: true };
}
export async function load(url, context, next) {
  if (url.startsWith('file:')) own.port.postMessage(url);
  if (!url.startsWith('hookline-own:')) return next(url, context);
  const specifier = url.slice('hookline-own:'.length);
  const lines = [
    "import { createRequire } from 'node:module';",
    'const own = createRequire(' + JSON.stringify(own.parent) + ')(' + JSON.stringify(specifier) + ');',
    ...own.names[specifier].map((name) => 'export const ' + name + ' = own.' + name + ';'),
  ];
  return { format: 'module', source: lines.join('\\n'), shortCircuit: true };
}
`;

let registered = false;
const loaded = new Set<string>();

/** Returns the files of the ES modules loaded since, with a short delay. */
export function loadedEsModules(): ReadonlySet<string> {
  return loaded;
}

/** Applies `lendOwnPackages` to ES modules. */
export function lendToEsModules(): void {
  if (registered) return;
  registered = true;
  const parent = pathToFileURL(__filename).href;
  const { port1, port2: port } = new MessageChannel();
  port1.on('message', (url: string) => loaded.add(fileURLToPath(url)));
  port1.unref();
  const data = { parent, names: ownExports(), port };
  register(`data:text/javascript,${encodeURIComponent(LOADER)}`, { data, transferList: [port] });
}

function ownExports(): Record<string, string[]> {
  const { exports } = JSON.parse(readFileSync(require.resolve('hookline/package.json'), 'utf8'));
  const entries = Object.keys(exports).filter((key) => key !== './package.json');
  return Object.fromEntries(
    entries.flatMap((key) => {
      const specifier = `hookline${key.slice(1)}`;
      try {
        return [[specifier, Object.keys(require(specifier))]];
      } catch {
        // The optional peer of an entry is missing. Importing that entry throws Node's own error.
        return [];
      }
    }),
  );
}
