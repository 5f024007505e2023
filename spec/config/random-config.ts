import fc from 'fast-check';
import type { HookEntry, NativeConfig } from 'hookline/config';

/** Names with prototype keys, separators, escapes and digits, and any others. */
export const hookName = fc
  .oneof(
    fc.constantFrom(
      'guard',
      'toString',
      'constructor',
      'hasOwnProperty',
      'x y',
      'ü.[0]',
      '\ud800',
      '7',
      '"',
      "a'b",
      '#',
      '*',
    ),
    fc.string({ minLength: 1, maxLength: 8 }),
  )
  .filter((name) => name !== '__proto__');
const some = <T>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(members, { requiredKeys: [] });
const word = fc.stringMatching(/^[a-z*?][a-z0-9_*?]{0,6}$/);
const words = fc.array(word, { maxLength: 3 });
const value = fc.oneof(fc.constantFrom('a${SET}b', '$${NOT}', 'Zürich 🌍', 'line\nline', '\u2028', ''), fc.string());
const positive = fc.oneof(fc.integer({ min: 1, max: 1e6 }), fc.constantFrom(0.5, 1e-3));
const permissions = fc.uniqueArray(fc.constantFrom('read' as const, 'write' as const, 'external' as const));
const match = some({ tools: words, permissions, agents: words });
const timed = some({ helloMs: positive, interceptorMs: positive, approvalMs: positive });
const policy = fc.constantFrom('off', 'report', 'redact', 'block');

/** Settings of Claude Code for command hooks. */
export const claudeHooks = fc.dictionary(
  fc.constantFrom('PreToolUse', 'PostToolUse', 'Stop'),
  fc.array(
    fc.record(
      {
        matcher: word,
        hooks: fc.array(
          fc.record(
            { type: fc.constant('command'), command: fc.constantFrom('true', 'echo ${HOME}'), timeout: positive },
            { requiredKeys: ['type', 'command'] },
          ),
          { maxLength: 2 },
        ),
      },
      { requiredKeys: ['hooks'] },
    ),
    { maxLength: 2 },
  ),
);

/** Options of each kind, from its schema. */
export const options: Readonly<Record<string, fc.Arbitrary<object>>> = {
  'audit-log': fc.oneof(
    some({
      args: fc.boolean(),
      results: fc.oneof(fc.boolean(), fc.integer({ min: 1, max: 1e9 })),
      chunks: fc.boolean(),
      redact: fc.boolean(),
      level: fc.constantFrom('trace', 'warn', 'fatal'),
    }),
    fc.record(
      {
        file: word,
        chain: fc.constant(true),
        chainKey: fc.constantFrom('${SET}', 'k'),
        rotate: fc.constant({ daily: true }),
      },
      { requiredKeys: ['file', 'chain'] },
    ),
  ),
  'dangerous-confirmation': some({
    askBy: fc.constantFrom('terminal', 'suspend'),
    patterns: fc.array(fc.constantFrom('drop', 'wipe it')),
    permissions: fc.subarray(['write', 'external']),
    timeoutMs: positive,
  }),
  'security-scan': some({
    policies: some({ prompt: policy, text: policy, toolInput: policy, toolResult: policy }),
    without: words,
    known: fc.array(fc.record({ label: word, value: fc.constantFrom('${SET}', 'hunter2hunter2') }), { maxLength: 2 }),
    mode: fc.constantFrom('marker', 'numbered', 'mask', 'hash'),
    key: fc.constant('0123456789abcdef'),
    restore: words,
  }),
  process: fc.record(
    {
      command: fc.array(fc.constantFrom('node', '-e', '${SET}', 'x.js'), { minLength: 1, maxLength: 3 }),
      dir: word,
      env: fc.dictionary(word, value),
      inheritEnv: fc.oneof(fc.boolean(), words),
      observe: fc.array(fc.constantFrom('*', 'tool_exec_start')),
      intercept: fc.uniqueArray(fc.constantFrom('before_tool', 'approve_tool', 'after_llm')),
      profile: fc.constantFrom('picoclaw', 'hookline'),
      timeouts: timed,
      dialect: some({ events: fc.constantFrom('legacy', 'both'), aliases: fc.boolean() }),
    },
    { requiredKeys: ['command'] },
  ),
  command: fc.record(
    {
      settings: fc.oneof(fc.record({ hooks: claudeHooks }), word),
      combine: fc.constantFrom('sequential', 'parallel'),
      env: fc.dictionary(word, value),
    },
    { requiredKeys: ['settings'] },
  ),
  module: fc.dictionary(
    hookName,
    // A configuration rejects the key that changes prototypes.
    fc
      .jsonValue()
      .map((one) => JSON.parse(JSON.stringify(one).replaceAll('${', '$').replaceAll('"__proto__":', '"proto":'))),
  ),
};

const kinds = Object.keys(options);
const needed = ['process', 'command'];

/** A file entry for a hook of one of these kinds. */
export function entryOf(...of: readonly string[]): fc.Arbitrary<HookEntry> {
  return fc.constantFrom(...of).chain((type) =>
    fc.record(
      {
        type: fc.constant(type),
        enabled: fc.boolean(),
        ...(type === 'module' && { path: word }),
        priority: fc.oneof(fc.integer(), fc.constantFrom(0.5, -1e300, 1e21)),
        phase: fc.constantFrom('pre_tool_use' as const, 'tool_skip' as const),
        match,
        onFailure: fc.constantFrom('block' as const, 'skip' as const),
        timeoutMs: positive,
        options: options[type]!,
      } as never,
      {
        requiredKeys: [
          'type',
          ...(type === 'module' ? ['path'] : []),
          ...(needed.includes(type) ? ['options'] : []),
        ] as never,
      },
    ),
  ) as fc.Arbitrary<HookEntry>;
}

/** A valid configuration in the native format. `SET` is a variable that it may use. */
export const nativeConfig = fc
  .record(
    {
      version: fc.constant(1 as const),
      defaults: some({ onFailure: fc.constantFrom('block' as const, 'skip' as const), timeoutMs: positive }),
      model: fc.oneof(fc.constant('offline'), fc.constant({ use: 'openai-compatible:m', apiKey: '${SET}' })),
      tools: words,
      workspace: word,
      agent: some({
        name: word,
        instructions: fc.string().map((text) => text.replaceAll('$', '')),
        maxIterations: fc.integer({ min: 1, max: 99 }),
      }),
      server: some({ host: word, port: fc.integer({ min: 0, max: 65_535 }), allowedHosts: words, state: word }),
      hooks: fc.dictionary(hookName, entryOf(...kinds), { maxKeys: 6 }),
    },
    { requiredKeys: ['hooks'] },
  )
  .map((config) => ({ env: ['SET'], ...config }) as NativeConfig);
