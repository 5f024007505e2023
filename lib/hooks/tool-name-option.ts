import { z } from 'zod';

/** The option `toolName` of a hook that brings a tool. */
export function toolNameOption(usual: string, says: string) {
  return z
    .string()
    .regex(/^[a-zA-Z_][\w-]{0,63}$/, 'must be a name of letters, digits, _ and -')
    .default(usual)
    .describe(says);
}
