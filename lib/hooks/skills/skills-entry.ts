import { defineCatalogueEntry } from '../catalogue.ts';
import { createScan } from './scan-skills.ts';
import { skills } from './skills.ts';
import { skillsOptionsSchema } from './skills-options.ts';

/** The catalogue entry of `skills`. */
export const skillsEntry = defineCatalogueEntry({
  name: 'skills',
  description: 'Tells the model which skills there are, and loads those that it wants.',
  events: ['preReasoning'],
  optionsSchema: skillsOptionsSchema,
  example: { folders: ['skills'] },
  notices: ({ folders, maxFileBytes }) =>
    folders.flatMap((folder, at) => {
      const { skills: found, faults } = createScan([folder], maxFileBytes)();
      return found.length + faults.length > 0
        ? []
        : [{ path: ['folders', at], message: 'holds no folder with a SKILL.md' }];
    }),
  create: skills,
});
