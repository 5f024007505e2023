// Builds the package: ES modules for bundlers in dist/esm/, file by file, and from them CommonJS and types in dist/.
// With --no-check from source whose types are checked elsewhere. With --quick only the CommonJS, which the specs start, from source without a check.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { transformSync } from 'esbuild';
import { rollup } from 'rollup';
import { lineMap } from './line-map.mjs';
import { pruneTypes } from './prune-types.mjs';
import { shortNamespaces } from './short-namespaces.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const esm = join(dist, 'esm');
// For browsers, and built by itself.
const page = join(root, 'lib/server/page');
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const entries = Object.values(exports).filter(({ types }) => types);
/** Has to run before the packages are loaded that it looks for. */
const checkPeers = join(esm, 'server/check-peers.js');
/** The compiled rules of redaction. */
const OWN_TABLES = 'own-rules.br';
/** Types of schemas are nested deeply: four blanks a level would be a good part of them. */
const INDENT = /^(?: {4})+/gm;
/** The same in what the compiler has written. */
const WRITTEN = /((?:from|import)\s*\(?\s*["'])(\.[^"']+)\.js(["'])/g;
const RELATIVE = /((?:from|import)\s*\(?\s*["'])(\.[^"']+)\.ts(["'])/g;
/** Packages of many files that most processes never call. */
const LATE = /^(?:const (\w+) = )?require\('(pino|yaml|jsonc-parser|smol-toml)'\);$/gm;
/** Tells importers from other packages that a file was an ES module. */
const MARK = /^Object\.defineProperty\(exports, '__esModule', .*\);$/m;
/** Our own files that most processes never call, by the name of the file that imports them. */
const LATE_OWN = {
  'built-ins': /^const (\w+) = require\('(\.\/(?!catalogue\.js)[^']+)'\);$/gm,
  'load-config': /^const (\w+) = require\('(\.\/process-hooks\.js)'\);$/gm,
  'usual-redactor': /^const (\w+) = require\('(\.\/create-redactor\.js)'\);$/gm,
};

/** Modules that are loaded together. The first match counts. */
const SHARED_FILES = [
  // What `hookline --version` needs is not in core, which loads rxjs and zod.
  [
    /^(?:errors(?:\/(?:connection-ended|describe-thrown|has-code|nearest-name))?|events\/values\/(?:harmless-json|hidden-characters|is-object|parse-json))\.js$/,
    'errors',
  ],
  // Otherwise the entry of the package would be in their chunk, in a circle with core.
  [/^errors\//, 'parse-options'],
  // What hooks of other loops use of it is in core.
  [
    /^agent\/(?!on-abort|phase-results|run-watcher|suspend\/(?:missing-approvers|sign-text|snapshot|suspended-call)|transcript\/close-orphans)/,
    'agent',
  ],
  // Schemas that only readers of stored events need.
  [/^events\/(?:event-base|hook-event|(?:error|p(?:re|ost))-\w+|\w+-chunk)\.js$/, 'hook-event'],
  [/^(?:events|schemas|pipeline|agent)\//, 'core'],
  // Otherwise it would be in the files of kinds of hooks, which load late.
  [/^otel\//, 'otel'],
  [/^process-hooks\/claude\/settings\/event-names\.js$/, 'event-names'],
  // Loaded for a file with a hook of these kinds.
  [/^process-hooks\/(?!.*(?:json-fields|line-splitter|rpc-message|\/wire\/))/, 'process-hooks'],
  [/^store\/lines\//, 'lines'],
  [/^store\/(?:documents\/check-key|state\/(?:check-state|memory-state-store))\.js$/, 'memory-state-store'],
  [
    /^store\/(?:documents\/(?!in-turn|memory-store|.*contract)|state\/(?:document-state|file-state-store))/,
    'file-lock',
  ],
  // For audit-log. The rules are loaded for the first text.
  [
    /^redaction\/(?:pattern|compile\/(?!compile-rules|tables)|checks\/items-of|confidence|escapes\/escape-units|memory\/secret-memory|scan\/(?:boundaries|entropy|history|judge|literal-scanner|surrogates))/,
    'secret-memory',
  ],
  // Of these, only `redact-stream` needs rxjs.
  [/^redaction\/(?!index|redact-stream|words)/, 'create-redactor'],
  [
    /^permission-rules\/(?:action|disk-view|look-at-line|match-|named-in-text|path-pattern|permission-rule|renamed-programs|rule-match|shell|spelled-else|wildcard)/,
    'match-rules',
  ],
  [
    /^hooks\/(?:scanning\/(?:run-secrets|scan-json|structure\/(?!scan-json-text))|text\/(?:clean-chunks|field-stream|json-text-stream))/,
    'scan-json',
  ],
  [/^hooks\/tokens\/(?:count-reasoning|count-tokens|message-tokens|prices)\.js$/, 'tokens'],
  [
    /^loops\/(?:check-hooks|ending-of|judge-call|lifetime-from|pending|raw-result|record-phase|run-aborted|run-failure|start-loop-run)/,
    'start-loop-run',
  ],
  [/^config\/live\/(?:generation|hook-pool|live-hooks|look-at)\.js$/, 'live-hooks'],
  [/^config\/(?!index|layers|explain|config-json-schema|live\/(?!file-state))/, 'load-config'],
  [
    /^cli\/(?:presets\/(?!preset\.js)|setup\/(?:audit-path|configured-hooks|create-log|load-hooks|look-only|state-folder|workspace-of))/,
    'cli-options',
  ],
  [/^cli\/host-hook\/(?:host-hook-flags|worker\/(?:channel|messages))\.js$/, 'channel'],
  [/^cli\/host-hook\/(?:read-event|worker\/(?:judges|worker-process))\.js$/, 'judges'],
  [
    /^cli\/host-hook\/(?:judge\/(?:host-call|is-too-deep)|dialects\/(?:answer-text|claude\/read|event-fields|exit-code-host|host-tool|in-folder|read-event-of|told-apart))\.js$/,
    'read-event-of',
  ],
  [
    /^hooks\/(?:catalogue|hook-host|last-question|loosens|name-options|one-at-a-time|parse-hook-options|run-trees|wait-at-most|weakens-unless|with-hint|without-user|text\/(?:bound-json|cut-text|data-block|redact-option|visible-text))\.js$/,
    'catalogue',
  ],
];

rmSync(dist, { recursive: true, force: true });
await import('./server/page/build.mjs');
if (process.argv.includes('--quick')) {
  writeEsModules();
  await includePackages();
  await compileOwnRules();
  await writeCommonJs();
  rmSync(esm, { recursive: true });
} else {
  const check = process.argv.includes('--no-check') ? ['--noCheck'] : [];
  const options = ['-p', 'lib/tsconfig.json', '--sourceMap', ...check];
  execFileSync(process.execPath, [tsc, ...options], { cwd: root, stdio: 'inherit' });
  await includePackages();
  await compileOwnRules();
  await writeCommonJs();
  await finishEsModules();
  finishTypes();
}

/** What the compiler would write, in a tenth of its time. */
function writeEsModules() {
  const lib = join(root, 'lib');
  for (const file of filesIn(lib, '.ts')) {
    if (file.startsWith(page)) continue;
    const { code } = transformSync(readFileSync(file, 'utf8'), { loader: 'ts', target: 'es2022' });
    const written = join(esm, relative(lib, file).replace(/\.ts$/, '.js'));
    mkdirSync(dirname(written), { recursive: true });
    writeFileSync(written, code.replace(RELATIVE, '$1$2.js$3'));
  }
}

/** Replaces the only module that imports a package with a bundle of both, so that the package is no dependency of ours. */
async function includePackages() {
  const licensesOfPage = readFileSync(join(dist, 'page/LICENSES.txt'), 'utf8');
  const included = { '@noble/hashes': 'hashes/sha256.js', diff: 'cli/terminal/unified-diff.js' };
  for (const [name, path] of Object.entries(included)) {
    const file = join(esm, path);
    const resolveId = (id) => (/^[./]/.test(id) ? null : fileURLToPath(import.meta.resolve(id)));
    const build = await rollup({ input: file, plugins: [{ name: 'package', resolveId }] });
    // Both licenses require the notice in each copy. Those of packages of the page are beside it.
    const license = licensesOfPage.includes(`\n${name}\n`)
      ? 'see page/LICENSES.txt'
      : `\n${readFileSync(join(root, 'node_modules', name, 'LICENSE'), 'utf8')}`;
    await build.write({ file, format: 'es', banner: `/*! ${name}: ${license}*/` });
    rmSync(`${file}.map`, { force: true });
  }
}

/** Our own rules of redaction are compiled now, not before the first text of each process. */
async function compileOwnRules() {
  // The nearest package.json decides, so both marks stand here.
  writeFileSync(join(esm, 'package.json'), `${JSON.stringify({ type: 'module', sideEffects: false })}\n`);
  const load = (file) => import(pathToFileURL(join(esm, 'redaction', file)));
  const { ownRules } = await load('rules/own-rules.js');
  const { compileRules } = await load('compile/compile-rules.js');
  const { packRules } = await load('compile/tables/pack-rules.js');
  writeFileSync(join(dist, OWN_TABLES), brotliCompressSync(packRules(compileRules(ownRules).compiled)));
  // A bundle for an edge runtime has no folder.
  const file = `typeof __dirname === 'string' ? __dirname + '/${OWN_TABLES}' : undefined`;
  writeFileSync(join(esm, 'redaction/compile/tables/packed-own.js'), `export const packedOwn = ${file};\n`);
}

/**
 * Node spends more on finding a file than on reading it, so modules share a file where they are always wanted together. Each is in one
 * file only: classes and symbols are the same through all entries.
 */
async function writeCommonJs() {
  // Loaded when a configuration uses them.
  const kinds = importedBy(join(esm, 'hooks/built-ins.js')).filter((file) => basename(file) !== 'catalogue.js');
  const files = [
    ...entries.map(esmOf),
    // For edge runtimes whose bundlers read CommonJS.
    join(esm, 'hooks/portable.js'),
    // What they load when it is wanted, they name by a path from where they stand.
    join(esm, 'cli/main.js'),
    join(esm, 'cli/run-program.js'),
    join(esm, 'cli/light-packages.js'),
    join(esm, 'cli/host-hook/call-host.js'),
    join(esm, 'cli/host-hook/dialects/refuse-event.js'),
    join(esm, 'cli/host-hook/dialects/dialects.js'),
    // A call loads the dialect of its host only.
    ...filesIn(join(esm, 'cli/host-hook/dialects'), '.js').filter((file) => /([^/\\]+)[/\\]\1\.js$/.test(file)),
    ...[
      'daemon/call-daemon',
      'daemon/serve-daemon',
      'install/install-hosts',
      'listen/serve-http',
      'picoclaw/judge-picoclaw',
      'picoclaw/serve-picoclaw',
      'worker/run-worker',
      'worker/serve-judging',
    ].map((name) => join(esm, `cli/host-hook/${name}.js`)),
    join(esm, 'cli/cases/load-late.js'),
    join(esm, 'cli/cases/try-host-case.js'),
    join(esm, 'cli/cases/try-run-case.js'),
    join(esm, 'cli/cases/write-cases.js'),
    join(esm, 'cli/run/load-tools.js'),
    join(esm, 'cli/setup/choose-redactor.js'),
    join(esm, 'cli/setup/load-server.js'),
    ...filesIn(join(esm, 'cli/commands'), '.js'),
    checkPeers,
  ];
  const build = await rollup({
    input: Object.fromEntries(files.map((file) => [relative(esm, file).replace(/\.js$/, ''), file])),
    external: (name) => !/^[./]/.test(name),
    // As package.json declares to bundlers.
    treeshake: { moduleSideEffects: (id) => files.includes(id) },
    // The compiler's helpers look in `this` for what others may have left there.
    context: 'globalThis',
    plugins: [
      {
        name: 'late-modules',
        buildStart() {
          for (const id of kinds) this.emitFile({ type: 'chunk', id, preserveSignature: 'allow-extension' });
        },
        renderChunk: loadedLate,
      },
      {
        name: 'short-namespaces',
        renderChunk(code, { name }) {
          return name === 'core' ? null : shortNamespaces(code, (text) => this.parse(text));
        },
      },
      {
        name: 'own-tables',
        renderChunk: (code, { fileName }) =>
          code.replace(`/${OWN_TABLES}`, `/${relative(dirname(fileName), OWN_TABLES)}`),
      },
      {
        name: 'without-comments',
        // Names in stack traces are kept where runs and hooks are called, and at the top of each file.
        renderChunk: (code, { name, fileName }) =>
          withoutComments(fileName.startsWith('cli/') ? code.replace(MARK, '') : code, {
            minifyWhitespace: true,
            minifySyntax: true,
            minifyIdentifiers: name !== 'core' && name !== 'agent',
            lineLimit: 1_000,
          }),
      },
    ],
  });
  await build.write({
    dir: dist,
    format: 'cjs',
    exports: 'named',
    esModule: true,
    interop: 'auto',
    externalLiveBindings: false,
    generatedCode: { preset: 'es2015', symbols: false },
    hoistTransitiveImports: false,
    chunkFileNames: 'chunks/[name].js',
    manualChunks: (file) => {
      const name = relative(esm, file).replaceAll('\\', '/');
      return SHARED_FILES.find(([modules]) => modules.test(name))?.[1];
    },
    onlyExplicitManualChunks: true,
  });
}

/** The ES module of an entry point. */
function esmOf(entry) {
  return resolve(root, entry.default.replace('./dist/', './dist/esm/'));
}

/** Loads these packages and modules when one of their exports is read. */
function loadedLate(code, { name: file }) {
  const whole = Array.from(code.matchAll(LATE), ([, name]) => name).find((name) => name && code.includes(`(${name})`));
  if (whole) throw new Error(`${whole} is loaded late. Import its exports by name.`);
  // Without a name, another file of the entry uses it.
  const late = [LATE, LATE_OWN[file] ?? LATE].reduce(
    (text, pattern) =>
      text.replace(pattern, (_, name, id) => (name ? `const ${name} = lateModule(() => require('${id}'));` : '')),
    code,
  );
  if (!late.includes('lateModule')) return late;
  return `${late}\nfunction lateModule(load) { return new Proxy({}, { get: (_, name) => load()[name] }); }\n`;
}

/**
 * Writes the ES modules of the entry points, minified and with source maps. A module with one importer is in the file of its importer. Those of `hookline`
 * and importers that are entry points are excepted, because bundlers drop whole files of which nothing is used.
 */
async function finishEsModules() {
  // Bundles are mostly for browsers, which cannot decompress the tables: they compile the rules.
  writeModule('redaction/compile/tables/packed-own.js', 'export const packedOwn = undefined;\n');
  const input = [...new Set(JSON.stringify(entries).match(/\.\/dist\/esm\/[\w/-]+\.js/g))].map((path) =>
    resolve(root, path),
  );
  const importers = new Map();
  for (const file of input) countImporters(file, importers);
  const core = new Map();
  countImporters(join(esm, 'index.js'), core);
  const ownerOf = (file) => {
    const [importer, ...others] = importers.get(file) ?? [];
    const isOwned = !input.includes(file) && others.length === 0 && !input.includes(importer) && !core.has(file);
    return isOwned ? ownerOf(importer) : file;
  };
  const nameOf = (file) => relative(esm, file).replace(/\.js$/, '');
  const build = await rollup({
    input: Object.fromEntries(input.map((file) => [nameOf(file), file])),
    external: (name) => !/^[./]/.test(name),
    treeshake: { moduleSideEffects: (id) => id === checkPeers },
    // The compiler's helpers look in `this` for what others may have left there.
    context: 'globalThis',
    plugins: [{ name: 'source-maps', load: loadMapped }],
  });
  const { output } = await build.generate({
    dir: esm,
    format: 'es',
    sourcemap: true,
    sourcemapExcludeSources: true,
    hoistTransitiveImports: false,
    chunkFileNames: '[name].js',
    manualChunks: (file) => nameOf(ownerOf(file)),
    onlyExplicitManualChunks: true,
  });
  for (const file of [...filesIn(esm, '.js'), ...filesIn(esm, '.js.map')]) rmSync(file);
  for (const { type, fileName, code, map } of output)
    if (type === 'chunk') writeMinified(join(esm, fileName), code, map);
}

/** Loads a module with the source map of the compiler. A module that the build has written has none. */
function loadMapped(file) {
  const map = existsSync(`${file}.map`) ? JSON.parse(readFileSync(`${file}.map`, 'utf8')) : { mappings: '' };
  return { code: readFileSync(file, 'utf8').replace(/\n\/\/# sourceMappingURL=.*$/, ''), map };
}

/** Nobody reads what bundlers read. Stack traces find the lines of the source in the map. */
function writeMinified(file, code, map) {
  const inline = Buffer.from(JSON.stringify(map)).toString('base64');
  const minified = transformSync(`${code}\n//# sourceMappingURL=data:application/json;base64,${inline}`, {
    minify: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    sourcemap: 'external',
    sourcesContent: false,
  });
  const url = `${basename(file)}.map`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${minified.code}//# sourceMappingURL=${url}\n`);
  // Rollup maps nothing in a file of exports alone, and esbuild would name its standard input as the source.
  const source = relative(dirname(file), join(root, 'lib', relative(esm, file).replace(/\.js$/, '.ts')));
  const lines =
    map.sources.length > 0 ? JSON.parse(minified.map) : { sources: [source.replaceAll('\\', '/')], mappings: '' };
  writeFileSync(join(dirname(file), url), JSON.stringify(lineMap(lines)));
}

/** Replaces a module, which then has no source. */
function writeModule(name, code) {
  writeFileSync(join(esm, name), code);
  rmSync(join(esm, `${name}.map`), { force: true });
}

/** Comments are for readers of the source. */
function withoutComments(code, options) {
  return transformSync(code, { target: 'es2022', charset: 'utf8', ...options }).code;
}

/** Names the imports of declarations as the files are called, and keeps those that an entry point leads to. */
function finishTypes() {
  const files = filesIn(dist, '.d.ts');
  for (const file of files)
    writeFileSync(file, readFileSync(file, 'utf8').replace(RELATIVE, '$1$2.js$3').replace(INDENT, indented));
  pruneTypes(
    entries.map(({ types }) => resolve(root, types)),
    files,
  );
}

function indented(blanks) {
  return '\t'.repeat(blanks.length / 4);
}

/** Returns the modules that a module imports. */
function importedBy(file) {
  const specifiers = Array.from(readFileSync(file, 'utf8').matchAll(WRITTEN), ([, , specifier]) => specifier);
  return specifiers.map((specifier) => resolve(dirname(file), `${specifier}.js`));
}

/** Adds the importers of the modules that `file` leads to. */
function countImporters(file, importers) {
  for (const imported of importedBy(file)) {
    if (!existsSync(imported)) throw new Error(`${imported} is imported and does not exist`);
    const known = importers.get(imported);
    importers.set(imported, (known ?? new Set()).add(file));
    if (!known) countImporters(imported, importers);
  }
}

function filesIn(folder, ending) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith(ending)).map((name) => join(folder, name));
}
