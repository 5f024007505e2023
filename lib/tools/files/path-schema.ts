import { z } from 'zod';

/** A path as a model gives it. */
export const pathSchema = z
  .string()
  .min(1)
  .max(4096)
  .refine((path) => !path.includes('\0'), 'must not hold a NUL character')
  .describe('Path of the file, relative to the workspace folder, such as "src/index.ts".');
