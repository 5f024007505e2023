import { z } from 'zod';

/** A list of names with at least one. Hooks match them with wildcards. */
export const names = z.array(z.string().min(1)).min(1);

/** The option `toolName` of a hook that adds a tool. */
export function toolNameOption(usual: string, description: string) {
  return z
    .string()
    .regex(/^[a-zA-Z_][\w-]{0,63}$/, 'must be a name with only letters, digits, _ and -')
    .default(usual)
    .describe(description);
}
