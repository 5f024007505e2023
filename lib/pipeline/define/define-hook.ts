import { z } from 'zod';
import { describeIssues } from '../../errors/describe-issues.ts';
import { HooklineError } from '../../errors.ts';
import { eventTypes } from '../../events/decisions/event-rules.ts';
import { permissionSchema } from '../../events/parts/tool-description.ts';
import { endlessOr, timerMs } from '../../events/values/timer-ms.ts';
import { type Hook, type HookDefinition, HookPriority } from './hook.ts';
import { defineTool } from './tool.ts';

const fn = z.custom((value) => typeof value === 'function', 'must be a function');
const pattern = z.union([z.string().min(1), z.instanceof(RegExp)], 'must be a name, a glob or a regular expression');
// An empty list would silently disable a guard.
const some = <T extends z.ZodType>(item: T) =>
  z.array(item).min(1, 'must not be empty, for then the hook applies to nothing; leave it out where it applies to all');
const handlers = z.strictObject(Object.fromEntries(eventTypes.map((type) => [type, fn.optional()])));
const chunkOperators = z.strictObject({ reasoningChunk: fn.optional(), actingChunk: fn.optional() });

/** The schema of the `trace` and `traced` options. */
export const tracingSchema = z.union(
  [z.boolean(), z.strictObject({ values: fn })],
  'must be true, false or { values: a function that redacts a text }',
);

const definitionSchema = z.strictObject({
  name: z.string().min(1, 'must not be empty'),
  description: z.string().optional(),
  priority: z.number('must be a finite number').optional(),
  aroundPriority: z.number('must be a finite number').optional(),
  match: z
    .strictObject({
      tools: some(pattern).optional(),
      permissions: some(permissionSchema).optional(),
      agents: some(pattern).optional(),
    })
    .optional(),
  on: handlers.optional(),
  through: chunkOperators.optional(),
  around: z.strictObject({ reasoning: fn.optional(), acting: fn.optional() }).optional(),
  approve: fn.optional(),
  denies: fn.optional(),
  observe: fn.optional(),
  traced: tracingSchema.optional(),
  redact: fn.optional(),
  tools: z.array(z.unknown()).optional(),
  onFailure: z.enum(['block', 'skip']).optional(),
  timeoutMs: endlessOr(timerMs()).optional(),
  idempotent: z.boolean().optional(),
});

const otherNames = {
  ...{ handlers: 'on', events: 'on', operators: 'through', wrap: 'around', middleware: 'around', tap: 'observe' },
  ...{
    order: 'priority',
    timeout: 'timeoutMs',
    matcher: 'match',
    approver: 'approve',
    failure: 'onFailure',
    failurePolicy: 'onFailure',
  },
  ...{ beforeAgent: 'preCall', afterAgent: 'postCall', UserPromptSubmit: 'preCall', Stop: 'postReasoning' },
  ...{
    beforeModel: 'preReasoning',
    afterModel: 'postReasoning',
    before_llm: 'preReasoning',
    after_llm: 'postReasoning',
  },
  ...{ beforeTool: 'preActing', afterTool: 'postActing', before_tool: 'preActing', after_tool: 'postActing' },
  ...{ PreToolUse: 'preActing', PostToolUse: 'postActing', preTool: 'preActing', postTool: 'postActing' },
  ...{ onError: 'error', onToken: 'reasoningChunk', onChunk: 'reasoningChunk', chunk: 'reasoningChunk' },
};

/** Marks hooks across copies of this package. A class or a WeakSet would recognize only its own. */
const HOOK = Symbol.for('hookline.hook');

/**
 * Creates a hook from its definition. A wrong definition throws `HOOK_INVALID`, which lists every issue with its path. Examples are an unknown
 * field, a handler for an unknown event, and `onFailure: 'skip'` that has no effect or would leak.
 */
export function defineHook(definition: HookDefinition): Hook {
  // One function for all events has no fields to check. A union with it would hide the issues of a handler map.
  const oneForAll = typeof definition?.on === 'function';
  const checked = definitionSchema.safeParse(oneForAll ? { ...definition, on: undefined } : definition);
  if (!checked.success) throw invalid(definition, describeIssues(definitionSchema, checked.error, otherNames));
  const { on, through, around, approve, observe, redact, onFailure, tools } = definition;
  if (!on && !through && !around && !approve && !observe && !redact && !tools) {
    throw invalid(
      definition,
      'it does nothing; give it at least one of on, through, around, approve, observe, redact, tools.',
    );
  }
  if (onFailure === 'skip' && (through?.reasoningChunk || through?.actingChunk)) {
    throw invalid(
      definition,
      'onFailure "skip" is not legal with "through": a broken operator cannot be skipped without letting raw chunks out.',
    );
  }
  if (onFailure === 'skip' && approve && !on && !around) {
    throw invalid(definition, 'onFailure "skip" has no effect on "approve": an approver that fails has not approved.');
  }
  if (definition.traced && !observe)
    throw invalid(definition, 'traced has no effect without "observe", which receives the steps.');
  if (definition.denies && !approve)
    throw invalid(definition, 'denies predicts "approve" and requires it; add "approve".');
  for (const tool of tools ?? []) defineTool(tool);
  const hook: Hook = Object.freeze({
    ...definition,
    priority: definition.priority ?? HookPriority.BUSINESS,
    onFailure: onFailure ?? 'block',
    [HOOK]: true,
  });
  return hook;
}

/** Returns whether `defineHook` created `value`. */
export function isHook(value: unknown): value is Hook {
  return typeof value === 'object' && value !== null && HOOK in value;
}

function invalid(definition: unknown, issues: string): HooklineError {
  const name = (definition as { name?: unknown } | null | undefined)?.name;
  const label = typeof name === 'string' && name !== '' ? `"${name}"` : 'without a name';
  return new HooklineError('HOOK_INVALID', `Hook ${label}: ${issues}`);
}
