import { dirname } from 'node:path';
import { circles, edges, graphOf, readSources, roomGraph, type Sources } from './import-graph.ts';
import type { Measure } from './measure.ts';

const FOLDERS = ['lib', 'samples', 'spec'] as const;

/** What can be told of the house without running it. */
export function measureShape(): Measure[] {
  const lib = readSources('lib');
  const graph = graphOf(lib);
  const unshared = unsharedExports(lib);
  const pipeline = [...lib].filter(([file]) => file.startsWith('pipeline/'));
  return [
    { what: 'circles of imports, those of types included', value: circles(graph, true).length, most: 0 },
    {
      what: 'circles of rooms of lib/pipeline, those of types included',
      value: circles(roomGraph(graph, 'pipeline'), true).length,
      most: 0,
    },
    ...FOLDERS.map((folder) => {
      const [name, count] = fullest(readSources(folder));
      return { what: `files in the fullest folder of ${folder} (${name})`, value: count, most: 20 };
    }),
    { what: 'lines of the longest file of lib', value: Math.max(...[...lib.values()].map(linesOf)), most: 250 },
    { what: 'files of lib with one importer and fewer than 25 lines', value: crumbs(lib).length, most: 40 },
    {
      what: ['exported values of lib that no other file names', ...unshared].join(', '),
      value: unshared.length,
      most: 0,
    },
    { what: 'files of lib', value: lib.size },
    { what: 'lines of lib', value: sum([...lib.values()].map(linesOf)) },
    { what: 'files of lib/pipeline', value: pipeline.length, most: 60 },
    {
      what: 'lines of lib/pipeline',
      value: sum(pipeline.map(([, source]) => linesOf(source))),
      most: LINES_OF_PIPELINE,
    },
  ];
}

/** What lib/pipeline had when it was laid out in rooms, and what says which texts hooks may read. */
const LINES_OF_PIPELINE = 8_250;

/** Small files that only one other file imports. */
export function crumbs(lib: Sources): string[] {
  const importers = new Map<string, Set<string>>();
  for (const [from, to] of edges(graphOf(lib))) {
    importers.set(to, (importers.get(to) ?? new Set()).add(from));
  }
  return [...lib]
    .filter(([file, source]) => linesOf(source) < 25 && importers.get(file)?.size === 1)
    .map(([file]) => file);
}

const EXPORTED = /^export (?:(?:declare|abstract|async) )*(?:function\*?|const|class|let) ([\w$]+)/gm;

/** Exported values that no other file of the repository names. A value that only its own file uses needs no export. */
function unsharedExports(lib: Sources): string[] {
  const all = [
    ...lib.values(),
    ...['spec', 'samples', '.vitepress'].flatMap((folder) => [...readSources(folder).values()]),
  ];
  const named = new Map<string, number>();
  for (const source of all)
    for (const name of new Set(source.match(/[\w$]+/g))) named.set(name, (named.get(name) ?? 0) + 1);
  return [...lib].flatMap(([file, source]) => {
    const names = Array.from(source.matchAll(EXPORTED), ([, name]) => name as string);
    return names.filter((name) => named.get(name) === 1).map((name) => `${file}: ${name}`);
  });
}

function fullest(sources: Sources): readonly [folder: string, count: number] {
  const counts = new Map<string, number>();
  for (const file of sources.keys()) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0] ?? ['.', 0];
}

const linesOf = (source: string) => source.trimEnd().split('\n').length;
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
