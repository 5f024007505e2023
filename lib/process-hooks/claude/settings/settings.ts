import { z } from 'zod';
import { hostEvents, hostHandlerTypes, misspelled } from './known-names.ts';

/** A misspelled event or type is an error, because its guard would never run. */
const spelled = (what: string, known: readonly string[]) =>
  z.string().refine((name) => misspelled(name, known) === undefined, {
    error: ({ input }) => `unknown ${what}; did you mean "${misspelled(String(input), known)}"?`,
  });

const common = {
  timeout: z.number().positive().optional(),
  statusMessage: z.string().optional(),
  once: z.boolean().optional(),
  if: z.string().optional(),
  onFailure: z.enum(['continue', 'block']).optional(),
};

/** A handler of a settings file. Unknown fields are ignored, as in Claude Code. */
export const handlerSchema = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('command'),
    command: z.string().min(1),
    args: z.array(z.string()).optional(),
    shell: z.enum(['bash', 'powershell']).optional(),
    async: z.boolean().optional(),
    asyncRewake: z.boolean().optional(),
    ...common,
  }),
  z.looseObject({
    type: z.literal('http'),
    url: z.url({ protocol: /^https?$/ }),
    headers: z.record(z.string(), z.string().meta({ secret: true })).optional(),
    allowedEnvVars: z.array(z.string()).optional(),
    ...common,
  }),
  z.looseObject({
    type: z.literal('prompt'),
    prompt: z.string().min(1),
    model: z.string().min(1).optional(),
    ...common,
  }),
]);

/** Handler types that are supported. */
export const runTypes: readonly string[] = ['command', 'http', 'prompt'];

/** Handlers of other types, which are skipped with a notice. */
const otherHandlerSchema = z.looseObject({
  // `abort`, because a union would otherwise also report this schema's issues for handlers of the other type.
  type: spelled('type of handler', hostHandlerTypes).refine((type) => !runTypes.includes(type), {
    error: 'does not match its type',
    abort: true,
  }),
});

/** Returns why a field would be a guard that never runs, or `undefined`. Other fields belong to Claude Code. */
function misplaced(name: string): string | undefined {
  if (hostEvents.includes(name)) return `an event goes into "hooks", as in { "hooks": { "${name}": [..] } }`;
  return misspelled(name, ['hooks']) && 'unknown field; did you mean "hooks"?';
}

/** The part of a Claude Code settings file that is read. */
export const claudeSettingsSchema = z
  .looseObject({
    hooks: z
      .record(
        spelled('event', hostEvents),
        z.array(
          z.looseObject({
            matcher: z.string().optional(),
            hooks: z.array(z.union([handlerSchema, otherHandlerSchema])),
          }),
        ),
        { error: (issue) => (issue.code === 'invalid_key' ? issue.issues[0]?.message : undefined) },
      )
      .default({}),
    disableAllHooks: z.boolean().optional(),
  })
  .superRefine((settings, { addIssue }) => {
    for (const name of Object.keys(settings)) {
      const message = misplaced(name);
      if (message !== undefined) addIssue({ code: 'custom', path: [name], message });
    }
  });

/** The part of a Claude Code settings file with hooks. */
export type ClaudeSettings = z.input<typeof claudeSettingsSchema>;
export type Handler = z.output<typeof handlerSchema>;
export type CommandHandler = Extract<Handler, { type: 'command' }>;
export type PromptHandler = Extract<Handler, { type: 'prompt' }>;
export type HttpHandler = Extract<Handler, { type: 'http' }>;
