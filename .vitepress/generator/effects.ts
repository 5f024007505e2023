import { headingsOf, sectionAt } from './markdown.ts';

const TABLE = /^\| option +\| effect +\|\n\|[-| ]+\|\n((?:\|.*\|\n?)+)/gm;

/** Takes the tables of options out of a guide: the rest, and the effect of each option. */
export function takeEffects(markdown: string): {
  readonly rest: string;
  readonly effects: ReadonlyMap<string, string>;
} {
  const effects = new Map<string, string>();
  const rest = markdown.replaceAll(TABLE, (_, rows: string) => {
    for (const [, name, effect] of rows.matchAll(/^\| `([^`]+)` +\| (.*?) +\|$/gm))
      effects.set(name ?? '', effect ?? '');
    return '';
  });
  return { rest, effects };
}

/** Leaves out the sections without any text. */
export function withoutEmptySections(markdown: string): string {
  const empty = headingsOf(markdown).find((heading) => sectionAt(markdown, heading).trim().split('\n').length === 1);
  if (!empty) return markdown;
  const lines = markdown.split('\n');
  lines.splice(empty.line, 1);
  return withoutEmptySections(lines.join('\n'));
}
