import { z } from 'zod';

const caseSchema = z
  .strictObject({
    name: z.string(),
    file: z.string(),
    line: z.int(),
    about: z.string().describe('The call, the prompt or the result, on one line.'),
    ok: z.boolean(),
    problems: z.array(z.string()).describe('What differs from what the case expects.'),
    action: z.string().describe('What the hooks decide.'),
    reached: z
      .array(z.strictObject({ hook: z.string(), reason: z.string().exactOptional() }))
      .describe('Hooks that decided, changed or approved something, with their reasons.'),
  })
  .meta({ id: 'PolicyCase' });

/** The response with cases. */
export const policyCasesSchema = z.strictObject({
  cases: z.array(caseSchema),
  error: z.string().exactOptional().describe('Why the cases could not be run.'),
});

/** The cases of the policies of a server, with their results. */
export type PolicyCases = z.infer<typeof policyCasesSchema>;
