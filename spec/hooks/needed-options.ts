/** Options of built-in hooks that cannot do without, by name. */
export const neededOptions: Readonly<Record<string, object>> = {
  budget: { limits: [{ of: 'steps', max: 1 }] },
  'rate-limit': { limits: [{ max: 1 }] },
  'structured-output': { schema: { type: 'object' } },
  'prompt-hint': { hints: [{ text: 'Think.' }] },
  'tool-result-limit': { limits: [{ maxChars: 100 }] },
  'tool-time-limit': { limits: [{ ms: 100 }] },
  'tool-params': { params: [{ tools: ['x'], add: { a: 1 } }] },
};
