import { docstringOf } from './docstring.ts';
import { fileOfFactory } from './factories.ts';
import { cell, table } from './table.ts';

const topics = ['Parallel calls', 'Sub-agents', 'Retry', 'Suspend and resume', 'Cost'] as const;

/** A table of the items that the docstring of a factory lists: `- Retry: ..`. */
export function guaranteesOf(factory: string): string {
  const text = docstringOf(fileOfFactory(factory), factory);
  const rows = topics.map((topic) => {
    const [, fact] = new RegExp(`^- ${topic}: ([^]*?)(?=\\n- |\\n\\n|$(?![^]))`, 'm').exec(text) ?? [];
    if (fact === undefined) throw new Error(`The docstring of ${factory} has no item "${topic}"`);
    return [topic, cell(fact.trim())];
  });
  return table(['topic', 'behaviour'], rows);
}
