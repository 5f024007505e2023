import { z } from 'zod';
import { toolNameOption } from '../tool-name-option.ts';

/** The options of `skills` with their defaults. */
export const skillsOptionsSchema = z.strictObject({
  name: z.string().min(1).default('skills').describe('Name of the hook.'),
  folders: z
    .array(z.string().min(1))
    .min(1, 'must contain at least one directory')
    .describe('Directories with one directory per skill, which contains its SKILL.md and its files.')
    .meta({ local: true }),
  toolName: toolNameOption('load_skill', 'Name of the tool that loads a skill.'),
  maxFileBytes: z
    .int()
    .positive()
    .max(10_000_000)
    .default(100_000)
    .describe('Maximum size of a file in bytes. A larger file cannot be loaded; a larger SKILL.md is an error.'),
});

/** The options of `skills` before defaults. */
export type SkillsOptions = z.input<typeof skillsOptionsSchema>;
