import { z } from 'zod';
import { toolNameOption } from '../tool-name-option.ts';

/** The options of `skills` with their defaults. */
export const skillsOptionsSchema = z.strictObject({
  name: z.string().min(1).default('skills').describe('Name of the hook.'),
  folders: z
    .array(z.string().min(1))
    .min(1, 'needs at least one folder')
    .describe('Folders with a folder for each skill, which holds its SKILL.md and its files.')
    .meta({ local: true }),
  toolName: toolNameOption('load_skill', 'The name of the tool that loads a skill.'),
  maxFileBytes: z
    .int()
    .positive()
    .max(10_000_000)
    .default(100_000)
    .describe('Larger files of skills cannot be loaded; a larger SKILL.md is a fault.'),
});

/** The options of `skills` as they are given. */
export type SkillsOptions = z.input<typeof skillsOptionsSchema>;
