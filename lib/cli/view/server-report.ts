import { harmlessText } from '../terminal/harmless-text.ts';
import { printJson } from './print-json.ts';

/** Tells whoever has started the server what happens to it. */
export type ServerReport = (event: string, facts: Readonly<Record<string, unknown>>) => void;

/** Lines of JSON, or plain ones. */
export function serverReport(json: boolean): ServerReport {
  return (event, facts) => {
    if (json) return printJson({ event, ...facts });
    const told = Object.entries(facts).map(
      ([name, value]) => `${name} ${Array.isArray(value) ? `\n  ${value.join('\n  ')}` : value}`,
    );
    process.stdout.write(`${harmlessText([event, ...told].join(' '))}\n`);
  };
}
