import { z } from 'zod';

/** Schema of a path from a model. */
export const pathSchema = z
  .string()
  .min(1)
  .max(4096)
  .refine((path) => !path.includes('\0'), 'must not contain a NUL character')
  .describe('Path of the file, relative to the workspace, such as "src/index.ts".');
