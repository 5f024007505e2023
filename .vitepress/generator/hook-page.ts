import { z } from 'zod';
import { optionsJsonSchema } from '../../lib/config/config-json-schema.ts';
import { hookKinds } from '../../lib/config/index.ts';
import type { JsonObject } from '../../lib/events/values/json-value.ts';
import type { CatalogueEntry } from '../../lib/hooks/catalogue.ts';
import { createCatalogue } from '../../lib/hooks/index.ts';
import { takeEffects, withoutEmptySections } from './effects.ts';
import { factoryOf } from './factories.ts';
import { guaranteesOf } from './guarantees.ts';
import { codeExample, yamlExample } from './hook-examples.ts';
import { optionTable } from './option-table.ts';
import { code, table } from './table.ts';

/** The page of a built-in hook: its section of the guide, with options, examples and guarantees from the code. */
export function hookPage(entry: CatalogueEntry, section: string, overview: string): string {
  const { name } = entry;
  const { rest, effects } = takeEffects(section);
  const [intro = '', ...sections] = withoutEmptySections(rest)
    .trim()
    .split(/\n(?=## )/);
  const limits = sections.filter((one) => one.startsWith('## Limitations'));
  const others = sections.filter((one) => !limits.includes(one));
  const options = others.filter((one) => one.startsWith('## Options'));
  return [
    `# ${name}\n`,
    withExamples(intro, examples(entry, section)),
    '## Options\n',
    optionTable(optionsOf(entry), effects),
    ...options.map((one) => one.replace(/^## Options.*\n/, '')),
    ...others.filter((one) => !options.includes(one)),
    '',
    '## Guarantees\n',
    facts(entry, overview),
    guaranteesOf(factoryOf(name)),
    ...limits,
    '',
  ].join('\n');
}

/** Examples that the guide does not have. */
function examples({ name, example }: CatalogueEntry, section: string): readonly string[] {
  const yaml = section.includes(`type: ${name}\n`) ? [] : ['In a configuration:\n', yamlExample(name, example)];
  const ts = section.includes('```ts\n') ? [] : ['In code:\n', codeExample(name, example)];
  return [...yaml, ...ts];
}

/** Inserts examples after the last one of the guide. */
function withExamples(intro: string, added: readonly string[]): string {
  const at = intro.lastIndexOf('\n```\n');
  const end = at === -1 ? intro.length : at + '\n```\n'.length;
  return [intro.slice(0, end).trim(), '', ...added, intro.slice(end).trim(), ''].join('\n');
}

function optionsOf(entry: CatalogueEntry): JsonObject {
  const kind = hookKinds(createCatalogue([entry])).get(entry.name);
  return kind ? optionsJsonSchema(kind) : (z.toJSONSchema(entry.optionsSchema) as JsonObject);
}

/** The row of the hook in the table of the guide, and the events that it handles. */
function facts({ name, events }: CatalogueEntry, overview: string): string {
  const row = overview.split('\n').find((line) => line.startsWith(`| \`${name}\` `)) ?? '';
  const [, , priority = '', , failure = ''] = row.split('|').map((one) => one.trim());
  return table(
    ['events', 'priority', 'if the hook fails'],
    [[events.map(code).join(', ') || 'all, as an observer', priority, failure]],
  );
}
