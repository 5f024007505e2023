import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { knownOptions, type OptionsPlace, refusedOptions } from '../../lib/adapters/ai-sdk/loop/known-options.ts';
import * as agents from '../../lib/adapters/openai-agents/known-options.ts';

type Rows = readonly (readonly [use: 'hooked' | 'passed', versions: readonly number[], ...names: string[]])[];

/** The names of a use, each with the versions that have it where not all of `all` do. */
function namesOf(rows: Rows, use: 'hooked' | 'passed', all: number): string {
  const named = rows.flatMap(([as, versions, ...names]) =>
    as === use ? names.map((name) => ({ name, versions })) : [],
  );
  return named
    .sort((a, b) => a.name.localeCompare(b.name))
    .map(({ name, versions }) => `\`${name}\`${versions.length < all ? ` (${versions.join(', ')})` : ''}`)
    .join(', ');
}

function aiSdkTable(): string {
  const rows = (Object.keys(knownOptions) as OptionsPlace[]).map((place) => {
    const known: Rows = knownOptions[place];
    const refused = Object.entries(refusedOptions[place] ?? {}).map(([name, why]) => `\`${name}\`: ${why}`);
    return `| ${[place, namesOf(known, 'hooked', 3), namesOf(known, 'passed', 3), refused.join('. ')].join(' | ')} |`;
  });
  return ['| where | with hooks | as it is | refused |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function agentsTable(): string {
  const named = (names: readonly string[]): string =>
    [...names]
      .sort()
      .map((name) => `\`${name}\``)
      .join(', ');
  const rows = (Object.keys(agents.knownOptions) as (keyof typeof agents.knownOptions)[]).map((place) => {
    const { hooked, passed } = agents.knownOptions[place];
    return `| ${[place, named(hooked), named(passed), named(Object.keys(agents.refusedOptions[place] ?? {}))].join(' | ')} |`;
  });
  return ['| where | with hooks | as it is | refused |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

describe('the options that an adapter knows', () => {
  for (const [guide, table] of [
    ['ai-sdk.md', aiSdkTable],
    ['openai-agents.md', agentsTable],
  ] as const)
    it(`stand in the guide ${guide}`, () => {
      const text = readFileSync(join(__dirname, '../../samples/loops', guide), 'utf8');
      const [, found = ''] = /<!-- known options -->\n([\s\S]*?)<!-- end of known options -->/.exec(text) ?? [];
      expect(cellsOf(found), `put this into ${guide}:\n${table()}\n`).to.equal(cellsOf(table()));
    });
});

/** A table as the formatter of Markdown leaves it reads like one that was just made. */
function cellsOf(table: string): string {
  return table
    .trim()
    .replace(/ *\| */g, '|')
    .replace(/-{3,}/g, '---');
}
