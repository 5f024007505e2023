import { z } from 'zod';
import type { ClaudeEvent } from '../settings/event-names.ts';

/** Fields of an output, by name. */
export type Shape = Readonly<Record<string, z.ZodType>>;

const input = z.record(z.string(), z.unknown());
const context: Shape = { additionalContext: z.string() };

/** Fields of `hookSpecificOutput` per event, except the event name. Other fields have no effect at that event. */
export const specificShapes: { readonly [E in ClaudeEvent]: Shape } = {
  SessionStart: { ...context, initialUserMessage: z.string() },
  UserPromptSubmit: context,
  PreToolUse: {
    ...context,
    permissionDecision: z.enum(['allow', 'deny', 'ask', 'defer']),
    permissionDecisionReason: z.string(),
    updatedInput: input,
  },
  PermissionRequest: {
    decision: z.looseObject({
      behavior: z.enum(['allow', 'deny']),
      message: z.string().optional(),
      interrupt: z.boolean().optional(),
      updatedInput: input.optional(),
    }),
  },
  Notification: {},
  PostToolUse: { ...context, updatedToolOutput: z.unknown(), updatedMCPToolOutput: z.unknown() },
  PostToolUseFailure: context,
  Stop: context,
  SubagentStart: context,
  SubagentStop: context,
  StopFailure: {},
  SessionEnd: {},
  ConfigChange: {},
};

/** Top-level fields of every event. */
export const topShape: Shape = {
  continue: z.boolean(),
  stopReason: z.string(),
  systemMessage: z.string(),
  suppressOutput: z.boolean(),
  decision: z.enum(['approve', 'block']),
  reason: z.string(),
  async: z.boolean(),
  asyncTimeout: z.number(),
};
