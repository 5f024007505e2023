import { harmlessText } from '../terminal/harmless-text.ts';
import { printJson } from './print-json.ts';

/** Reports events of the server to the user who started it. */
export type ServerReport = (event: string, facts: Readonly<Record<string, unknown>>) => void;

/** Prints JSON lines or plain lines. */
export function serverReport(json: boolean): ServerReport {
  return (event, facts) => {
    if (json) return printJson({ event, ...facts });
    const pairs = Object.entries(facts).map(
      ([name, value]) => `${name} ${Array.isArray(value) ? `\n  ${value.join('\n  ')}` : value}`,
    );
    process.stdout.write(`${harmlessText([event, ...pairs].join(' '))}\n`);
  };
}
