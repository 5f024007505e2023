import { z } from 'zod';
import type { ClaudeEvent } from '../settings/event-names.ts';

/** Fields of an output, by name. */
export type Shape = Readonly<Record<string, z.ZodType>>;

/** The valid fields of an output. */
export type Values<S extends Shape> = { readonly [K in keyof S]?: z.infer<S[K]> };

const input = z.record(z.string(), z.unknown());
const context = { additionalContext: z.string() };
const start = { ...context, initialUserMessage: z.string() };
const tool = {
  ...context,
  permissionDecision: z.enum(['allow', 'deny', 'ask', 'defer']),
  permissionDecisionReason: z.string(),
  updatedInput: input,
};
const permission = {
  decision: z.looseObject({
    behavior: z.enum(['allow', 'deny']),
    message: z.string().optional(),
    interrupt: z.boolean().optional(),
    updatedInput: input.optional(),
  }),
};
const result = { ...context, updatedToolOutput: z.unknown(), updatedMCPToolOutput: z.unknown() };

/** The fields of `hookSpecificOutput` of all events. */
export type Specific = Values<typeof start & typeof tool & typeof permission & typeof result>;

/** Fields of `hookSpecificOutput` per event, except the event name. Other fields have no effect at that event. */
export const specificShapes: { readonly [E in ClaudeEvent]: Shape } = {
  SessionStart: start,
  UserPromptSubmit: context,
  PreToolUse: tool,
  PermissionRequest: permission,
  Notification: {},
  PostToolUse: result,
  PostToolUseFailure: context,
  Stop: context,
  SubagentStart: context,
  SubagentStop: context,
  StopFailure: {},
  SessionEnd: {},
  ConfigChange: {},
};

/** Top-level fields of every event. */
export const topShape = {
  continue: z.boolean(),
  stopReason: z.string(),
  systemMessage: z.string(),
  suppressOutput: z.boolean(),
  decision: z.enum(['approve', 'block']),
  reason: z.string(),
  async: z.boolean(),
  asyncTimeout: z.number(),
};
