import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import * as ts from 'typescript';
import {
  circles,
  closure,
  edges,
  type Graph,
  graphOf,
  importsOf,
  readSources,
  roomGraph,
  root,
  type Sources,
} from './house/import-graph.ts';

/** Rooms in ascending order. A file imports from its own room and from lower ranks, never from another room of its rank. */
const RANKS = [
  ['errors', 'processes', 'hashes'],
  ['events', 'redaction'],
  ['schemas'],
  ['pipeline', 'store'],
  ['permission-rules', 'otel'],
  ['agent', 'tools', 'hooks', 'process-hooks'],
  ['chat', 'loops', 'replay'],
  ['config', 'testing', 'adapters'],
  ['server'],
  ['nats'],
  ['index', 'cli'],
];
const PORTABLE = ['errors', 'hashes', 'events', 'redaction', 'schemas', 'pipeline', 'agent', 'chat', 'loops'];
const DRAWERS = ['utils', 'types', 'common', 'core', 'internal'];
const exported: Record<string, unknown> = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).exports;

const roomOf = (file: string) => (file.includes('/') ? (file.split('/')[0] as string) : file.replace(/\.ts$/, ''));
const rankOf = (file: string) => RANKS.findIndex((rooms) => rooms.includes(roomOf(file)));
const isNode = (to: string) =>
  !isOwn(to) && (to.startsWith('node:') || builtinModules.includes(to.split('/')[0] as string));

const isOwn = (to: string) => /\.tsx?$/.test(to);
const arrow = ([from, to]: readonly [string, string]) => `${from} -> ${to}`;

const strangers = (graph: Graph) => [...graph.keys()].filter((file) => rankOf(file) < 0);
const missing = (graph: Graph) => [...edges(graph)].filter(([, to]) => isOwn(to) && !graph.has(to)).map(arrow);
const upward = (graph: Graph) =>
  [...edges(graph)]
    .filter(([from, to]) => isOwn(to) && roomOf(from) !== roomOf(to) && rankOf(to) >= rankOf(from))
    .map(arrow);
const throughTheDoor = (graph: Graph) =>
  [...edges(graph)].filter(([, to]) => to === 'hookline' || to.startsWith('hookline/')).map(arrow);
const unportable = (graph: Graph) =>
  [...edges(graph)].filter(([from, to]) => PORTABLE.includes(roomOf(from)) && isNode(to)).map(arrow);
const drawers = (sources: Sources) =>
  [...sources.keys()].filter((file) => file.split('/').some((part) => DRAWERS.includes(part.replace(/\.ts$/, ''))));
const tooLong = (sources: Sources) =>
  [...sources].filter(([, source]) => source.split('\n').length > 300).map(([file]) => file);

/** Files of built-in hooks that are imported outside of the catalogue and the index. */
function sharedBuiltIns(graph: Graph): string[] {
  const catalogued = (graph.get('hooks/built-ins.ts') ?? []).map(({ to }) => to);
  const hooks = catalogued.filter((to) => roomOf(to) === 'hooks' && to !== 'hooks/catalogue.ts');
  const allowed = ['hooks/built-ins.ts', 'hooks/portable.ts', ...entriesIn('hooks')];
  return [...edges(graph)]
    .filter(([from, to]) => roomOf(from) === 'hooks' && hooks.includes(to) && !allowed.includes(from))
    .map(arrow);
}

/** Adapters that build on the adapter of another library. */
const BUILT_ON: Readonly<Record<string, string>> = { 'adapters/mastra': 'adapters/ai-sdk' };

/** Adapter files that do not belong to exactly one folder of adapters. Entries in one folder may share files. */
function sharedAdapters(graph: Graph, entries: readonly string[]): string[] {
  const folders = new Map<string, Set<string>>();
  for (const entry of entries) {
    const folder = entry.split('/').slice(0, 2).join('/');
    const own = [...closure(graph, entry, true)].filter((file) => !file.startsWith(`${BUILT_ON[folder]}/`));
    folders.set(folder, new Set([...(folders.get(folder) ?? []), ...own]));
  }
  const closures = [...folders.values()];
  return [...graph.keys()]
    .filter((file) => roomOf(file) === 'adapters')
    .map((file) => `${file}: ${closures.filter((files) => files.has(file)).length}`)
    .filter((line) => !line.endsWith(': 1'));
}

function entriesIn(room: string): string[] {
  const sources = Object.values(exported).map((entry) => (entry as Record<string, string>)['hookline:source']);
  return sources.flatMap((source) => (source?.startsWith(`./lib/${room}/`) ? [source.slice('./lib/'.length)] : []));
}

const packageOf = (to: string) =>
  to
    .split('/')
    .slice(0, to.startsWith('@') ? 2 : 1)
    .join('/');
const packagesOf = (graph: Graph, file: string) =>
  [...new Set([...closure(graph, file)].filter((to) => !isOwn(to)).map(packageOf))].sort();

describe('the architecture of lib', () => {
  const lib = readSources('lib');
  const graph = graphOf(lib);

  it('has only the listed rooms, and every import resolves', () => {
    expect(graph.size).to.be.greaterThan(200);
    expect(strangers(graph)).to.deep.equal([]);
    expect(missing(graph)).to.deep.equal([]);
  });

  it('imports only from lower ranks, never from higher or equal ones or by the package name', () => {
    expect(upward(graph)).to.deep.equal([]);
    expect(throughTheDoor(graph)).to.deep.equal([]);
  });

  it('has no imports between built-in hooks', () => expect(sharedBuiltIns(graph)).to.deep.equal([]));

  it('assigns each adapter file to the subpath exports of exactly one folder', () => {
    expect(sharedAdapters(graph, entriesIn('adapters'))).to.deep.equal([]);
  });

  it('has no circular imports', () => expect(circles(graph, false)).to.deep.equal([]));

  it('has no circular type imports', () => expect(circles(graph, true)).to.deep.equal([]));

  it('has no circular imports between the rooms of the pipeline', () => {
    const rooms = roomGraph(graph, 'pipeline');
    expect([...rooms.keys()]).to.include.members(['define', 'run', 'gate', 'chunks', 'around', 'phases', 'flow']);
    expect(circles(rooms, true)).to.deep.equal([]);
  });

  it('imports no Node modules in portable rooms', () => expect(unportable(graph)).to.deep.equal([]));

  it("loads only rxjs and zod, without Node modules, for import 'hookline'", () => {
    expect(packagesOf(graph, 'index.ts')).to.deep.equal(['rxjs', 'zod']);
  });

  it('has no folders or files for miscellaneous code', () => expect(drawers(lib)).to.deep.equal([]));

  it('keeps every file under 300 lines', () => expect(tooLong(lib)).to.deep.equal([]));

  it('only re-exports by name in index.ts', () => {
    const source = ts.createSourceFile('index.ts', lib.get('index.ts') ?? '', ts.ScriptTarget.ESNext, true);
    const others = source.statements.filter(
      (statement) => !ts.isExportDeclaration(statement) || !statement.exportClause,
    );
    expect(others.map((statement) => statement.getText())).to.deep.equal([]);
    expect(source.statements).not.to.be.empty;
  });
});

describe('the check of the architecture', () => {
  const of = (files: Record<string, string>) => graphOf(new Map(Object.entries(files)));

  it('detects imports in any syntax, and distinguishes type imports', () => {
    const found = importsOf(
      'agent/a.ts',
      `import x, { type A } from './b.ts'; import type { C } from './c.ts'; import { type D } from './d.ts';
       export { e } from '../events/e.ts'; export type { F } from './f.ts'; export * from './g.ts'; import './h.ts';
       const i = await import('node:fs'); const j = require('path'); type K = import('pino').Logger; import * as l from 'zod';`,
    );
    expect(found.map(({ to, type }) => (type ? `type ${to}` : to))).to.deep.equal(
      `agent/b.ts,type agent/c.ts,type agent/d.ts,events/e.ts,type agent/f.ts,agent/g.ts,agent/h.ts,node:fs,path,type pino,zod`.split(
        ',',
      ),
    );
  });

  it('detects imports that are upward, sideways, foreign, unresolved or by the package name', () => {
    const graph = of({
      'events/a.ts': `import type { P } from '../pipeline/p.ts';`,
      'hooks/h.ts': `import { t } from '../tools/t.ts';`,
      'cli/c.ts': `import { x } from '../index.ts'; import 'hookline/testing';`,
      'helpers/x.ts': `import { y } from './y.ts';`,
      'testing/fine.ts': `import { createAgent } from '../agent/a.ts'; import { p } from '../pipeline/p.ts';`,
      'pipeline/p.ts': `import { q } from './q.ts';`,
    });
    expect(upward(graph)).to.deep.equal([
      'events/a.ts -> pipeline/p.ts',
      'hooks/h.ts -> tools/t.ts',
      'cli/c.ts -> index.ts',
    ]);
    expect(strangers(graph)).to.deep.equal(['helpers/x.ts']);
    expect(missing(graph)).to.include('pipeline/p.ts -> pipeline/q.ts');
    expect(throughTheDoor(graph)).to.deep.equal(['cli/c.ts -> hookline/testing']);
  });

  it('detects circular imports, and circular type imports only on request', () => {
    const files = { 'a/a.ts': `import './b.ts';`, 'a/b.ts': `import './c.ts';`, 'a/c.ts': `import './a.ts';` };
    expect(circles(of(files), false)).to.deep.equal([Object.keys(files)]);
    const types = of({ ...files, 'a/c.ts': `import type { A } from './a.ts';` });
    expect(circles(types, false)).to.deep.equal([]);
    expect(circles(types, true)).to.deep.equal([Object.keys(files)]);
  });

  it('detects circular rooms without circular files', () => {
    const graph = of({
      'p/a/one.ts': `import '../b/one.ts'; import '../alone.ts';`,
      'p/b/one.ts': `import '../../q/x.ts';`,
      'p/b/two.ts': `import type { T } from '../a/two.ts';`,
      'p/a/two.ts': '',
      'p/alone.ts': '',
      'q/x.ts': `import '../p/a/one.ts';`,
    });
    expect(circles(graph, true)).to.deep.equal([['p/a/one.ts', 'p/b/one.ts', 'q/x.ts']]);
    expect(circles(roomGraph(graph, 'p'), true)).to.deep.equal([['a', 'b']]);
    expect(circles(roomGraph(graph, 'p'), false)).to.deep.equal([]);
  });

  it('detects built-in hooks and adapters that share files', () => {
    const graph = of({
      'hooks/built-ins.ts': `import './one.ts'; import './two.ts'; import './catalogue.ts';`,
      'hooks/one.ts': `import './two.ts'; import './help.ts';`,
      'hooks/two.ts': `import './help.ts';`,
      'adapters/x.ts': `import './y.ts';`,
      'adapters/y.ts': '',
      'adapters/dead.ts': '',
    });
    expect(sharedBuiltIns(graph)).to.deep.equal(['hooks/one.ts -> hooks/two.ts']);
    expect(sharedAdapters(graph, ['adapters/x.ts', 'adapters/y.ts'])).to.deep.equal([
      'adapters/y.ts: 2',
      'adapters/dead.ts: 0',
    ]);
  });

  it('detects Node in a portable room, and a package loaded through another file', () => {
    const graph = of({
      'index.ts': `export { a } from './agent/a.ts'; export type { B } from './agent/b.ts';`,
      'agent/a.ts': `import { readFile } from 'fs/promises'; import '@scope/sdk/deep';`,
      'agent/b.ts': `import 'commander';`,
      'tools/fine.ts': `import 'node:fs';`,
    });
    expect(unportable(graph)).to.deep.equal(['agent/a.ts -> fs/promises']);
    expect(packagesOf(graph, 'index.ts')).to.deep.equal(['@scope/sdk', 'fs']);
  });

  it('detects miscellaneous names and files that are too long', () => {
    const sources = new Map([
      ['pipeline/utils/x.ts', ''],
      ['events/types.ts', ''],
      ['agent/a.ts', '\n'.repeat(300)],
      ['agent/b.ts', '\n'.repeat(299)],
    ]);
    expect(drawers(sources)).to.deep.equal(['pipeline/utils/x.ts', 'events/types.ts']);
    expect(tooLong(sources)).to.deep.equal(['agent/a.ts']);
  });
});
