import { z } from 'zod';

const specific = z.looseObject({
  hookEventName: z.string(),
  permissionDecision: z.enum(['allow', 'deny', 'ask', 'defer']).optional(),
  permissionDecisionReason: z.string().optional(),
  updatedInput: z.record(z.string(), z.unknown()).optional(),
  additionalContext: z.string().optional(),
  updatedToolOutput: z.unknown().optional(),
  updatedMCPToolOutput: z.unknown().optional(),
  initialUserMessage: z.string().optional(),
  decision: z
    .looseObject({
      behavior: z.enum(['allow', 'deny']),
      message: z.string().optional(),
      interrupt: z.boolean().optional(),
      updatedInput: z.record(z.string(), z.unknown()).optional(),
    })
    .optional(),
});

/** What a handler may print (facts 1.4 and 1.5); members that are not known are let be. */
export const outputSchema = z.looseObject({
  continue: z.boolean().optional(),
  stopReason: z.string().optional(),
  systemMessage: z.string().optional(),
  suppressOutput: z.boolean().optional(),
  decision: z.enum(['approve', 'block']).optional(),
  reason: z.string().optional(),
  async: z.boolean().optional(),
  asyncTimeout: z.number().optional(),
  hookSpecificOutput: specific.optional(),
});

export type ClaudeOutput = z.output<typeof outputSchema>;

/** What one handler came to. */
export interface Outcome {
  /** Exit 2, or JSON that blocks: why. */
  readonly block?: string;
  readonly permission?: 'allow' | 'deny' | 'ask';
  readonly reason?: string;
  readonly updatedInput?: Readonly<Record<string, unknown>>;
  readonly context?: string;
  /** In a member of its own, because nothing is a value too. */
  readonly updatedOutput?: { readonly value: unknown };
  readonly initialUserMessage?: string;
  /** `continue: false`: everything stops, with the reason for the user. */
  readonly stop?: string;
  readonly systemMessage?: string;
  /** JSON that is none, or that does not fit: what is wrong. Counts as a failure where failures block. */
  readonly invalid?: string;
}
