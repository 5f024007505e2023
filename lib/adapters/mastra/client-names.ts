import type { AgentOptions } from './host-mastra.ts';

/** Returns the names under which Mastra offers client tools. Providers reject other characters. */
export function clientNames({ clientTools }: AgentOptions): ReadonlySet<string> {
  return new Set(Object.keys(clientTools ?? {}).map(offeredName));
}

function offeredName(name: string): string {
  const plain = name.replace(/[^a-zA-Z0-9_-]/g, '_');
  return (/^[a-zA-Z_]/.test(plain) ? plain : `_${plain}`).slice(0, 63);
}
