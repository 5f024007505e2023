import { builtIns } from '../../lib/hooks/built-ins.ts';

/** Options of built-in hooks, by name: those of the example that each has. */
export const neededOptions: Readonly<Record<string, object>> = {
  ...Object.fromEntries(builtIns.map(({ name, example = {} }) => [name, example])),
  budget: { limits: [{ of: 'steps', max: 1 }] },
  rag: { folder: '.' },
  'rate-limit': { limits: [{ max: 1 }] },
  'structured-output': { schema: { type: 'object' } },
  'prompt-hint': { hints: [{ text: 'Think.' }] },
  'tool-result-limit': { limits: [{ maxChars: 100 }] },
  'tool-time-limit': { limits: [{ ms: 100 }] },
  'tool-params': { params: [{ tools: ['x'], add: { a: 1 } }] },
  'tool-cache': { tools: ['x'] },
};
