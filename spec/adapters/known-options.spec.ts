import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { knownOptions, type OptionsPlace, refusedOptions } from '../../lib/adapters/ai-sdk/loop/known-options.ts';
import { knownOptions as ofLangChain } from '../../lib/adapters/langchain/known-options.ts';
import { knownOptions as ofMastra } from '../../lib/adapters/mastra/known-options.ts';
import { knownFields as ofMcp } from '../../lib/adapters/mcp/tools/mcp-client.ts';
import { knownOptions as ofOpenAi } from '../../lib/adapters/openai-agents/known-options.ts';
import type { KnownFields } from '../../lib/loops/known-fields.ts';

type Rows = readonly (readonly [use: 'hooked' | 'passed', versions: readonly number[], ...names: string[]])[];

/** The names of a use, each with its versions unless all `all` versions have it. */
function namesOf(rows: Rows, use: 'hooked' | 'passed', all: number): string {
  const named = rows.flatMap(([as, versions, ...names]) =>
    as === use ? names.map((name) => ({ name, versions })) : [],
  );
  return named
    .sort((a, b) => a.name.localeCompare(b.name))
    .map(({ name, versions }) => `\`${name}\`${versions.length < all ? ` (${versions.join(', ')})` : ''}`)
    .join(', ');
}

/** A line for each use of a place. */
function lines(place: string, uses: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(uses).flatMap(([use, names]) => (names === '' ? [] : [`- **${place}**, ${use}: ${names}`]));
}

function aiSdkList(): string {
  const all = (Object.keys(knownOptions) as OptionsPlace[]).flatMap((place) => {
    const refused = Object.entries(refusedOptions[place] ?? {}).map(([name, why]) => `\`${name}\` (${why})`);
    const named = (use: 'hooked' | 'passed'): string => namesOf(knownOptions[place], use, 3);
    return lines(place, { 'with hooks': named('hooked'), 'as it is': named('passed'), refused: refused.join(', ') });
  });
  return all.join('\n');
}

function listOf(places: Readonly<Record<string, KnownFields>>): string {
  const named = (names: readonly string[]): string =>
    [...names]
      .sort()
      .map((name) => `\`${name}\``)
      .join(', ');
  return Object.entries(places)
    .flatMap(([place, { hooked, passed, refused = {} }]) =>
      lines(place, { 'with hooks': named(hooked), 'as it is': named(passed), refused: named(Object.keys(refused)) }),
    )
    .join('\n');
}

describe('the options known to an adapter', () => {
  for (const [guide, list] of [
    ['ai-sdk.md', aiSdkList()],
    ['langchain.md', listOf(ofLangChain)],
    ['mastra.md', listOf(ofMastra)],
    ['mcp.md', listOf(ofMcp)],
    ['openai-agents.md', listOf(ofOpenAi)],
  ] as const)
    it(`are listed in the guide ${guide}`, () => {
      const text = readFileSync(join(__dirname, '../../samples/loops', guide), 'utf8');
      const [, found = ''] = /<!-- known options -->\n([\s\S]*?)<!-- end of known options -->/.exec(text) ?? [];
      expect(found.trim(), `put this into ${guide}:\n${list}\n`).to.equal(list);
    });
});
