import { z } from 'zod';
import { HooklineError } from '../../errors.ts';
import { modify } from '../../events/decisions/modify.ts';
import { systemMessage } from '../../events/parts/messages.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import { type Hook, HookPriority, verdict } from '../../pipeline/define/hook.ts';
import type { Logger } from '../../pipeline/logger.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { toolNameOption } from '../name-options.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { weakensUnless } from '../weakens-unless.ts';
import { fileOfCall, loadSkillTool } from './load-skill-tool.ts';
import { createScan, type Skill, skillFile } from './scan-skills.ts';

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

/** After the hooks that add instructions. */
const BEHIND_HINTS = HookPriority.PREPROCESSING + 5;

/**
 * Lists the skills for the model, and adds the tool that loads one with its files. The list is a system message in each request that
 * offers the tool, and in no transcript. Skills are never executed. Changed files take effect with the next request. An invalid skill is
 * left out, and the log reports it with the next request; `notices` of the entry lists invalid skills in advance. A folder that cannot be
 * read when the hook is created is `OPTIONS_INVALID`. A skill is neither listed nor loaded if approvers with `denies`, such as
 * `permission`, do not let the model read it.
 *
 * - Parallel calls: The tool only reads, so calls run concurrently.
 * - Sub-agents: They have the skills, too.
 * - Retry: Nothing is kept.
 * - Suspend and resume: Nothing is kept.
 * - Cost: The tokens of the list in each request. Checks the folders for changes before each request.
 */
export function skills(options: SkillsOptions): Hook {
  const { name, folders, toolName, maxFileBytes } = parseHookOptions('skills', skillsOptionsSchema, options);
  const scan = createScan(folders, maxFileBytes);
  const unread = scan().issues.filter(({ whole }) => whole);
  if (unread.length > 0)
    throw new HooklineError(
      'OPTIONS_INVALID',
      [`The hook "${name}" cannot read its directories:`, ...unread.map(({ text }) => text)].join('\n  '),
    );
  let reported: readonly string[] = [];

  function skillsNow(log: Logger): readonly Skill[] {
    const { skills: found, issues } = scan();
    const texts = issues.map(({ text }) => text);
    for (const text of texts)
      if (!reported.includes(text)) log.warn({ code: 'skill-invalid' }, `a skill is ignored: ${text}`);
    reported = texts;
    return found;
  }

  let withheld = '';
  function readable(found: readonly Skill[], mayRead: (place: string) => boolean, log: Logger): readonly Skill[] {
    const open = found.filter((skill) => mayRead(skillFile(skill)));
    const closed = found.filter((skill) => !open.includes(skill)).map((skill) => skill.name);
    const now = closed.join(', ');
    if (now !== withheld && now !== '')
      log.info(
        { code: 'skills-withheld' },
        `rules do not allow the model to read these skills, which are ignored: ${now}`,
      );
    withheld = now;
    return open;
  }

  return defineHook({
    name,
    description: 'Lists skills for the model and loads them on demand.',
    priority: BEHIND_HINTS,
    tools: [loadSkillTool(toolName, () => scan().skills, maxFileBytes)],
    approve({ toolCall }, { mayRead }) {
      const file = toolCall.name === toolName ? fileOfCall(toolCall.input, scan().skills) : undefined;
      if (file === undefined || mayRead(file)) return verdict.allow();
      return verdict.deny('The rules do not allow the model to read this file.');
    },
    on: {
      preReasoning(event, { log, mayRead }) {
        if (event.decision || !event.tools.some((tool) => tool.name === toolName)) return undefined;
        const found = readable(skillsNow(log), mayRead, log);
        if (found.length === 0) return undefined;
        const { messages } = event;
        const first = messages.findIndex(({ role }) => role !== 'system');
        const at = first < 0 ? messages.length : first;
        const list = { ...systemMessage(listOf(found, toolName)), origin: name };
        return modify(event, { messages: [...messages.slice(0, at), list, ...messages.slice(at)] });
      },
    },
  });
}

function listOf(found: readonly Skill[], toolName: string): string {
  const lines = found.map(({ name, description }) => `- ${name}: ${description.replace(/\s+/g, ' ')}`);
  return `There are skills: instructions for certain tasks. Before you do what a skill is for, load it with the tool ${toolName}.\n${lines.join('\n')}`;
}

/** @internal The catalogue entry of `skills`. */
export const skillsEntry = defineCatalogueEntry({
  name: 'skills',
  description: 'Lists skills for the model and loads them on demand.',
  events: ['preReasoning', 'preActing'],
  // It refuses only loads that other hooks would refuse.
  approves: false,
  optionsSchema: skillsOptionsSchema,
  example: { folders: ['skills'] },
  notices({ folders, maxFileBytes }) {
    const { issues } = createScan(folders, maxFileBytes)();
    return folders.flatMap((folder, at) => {
      const path = ['folders', at];
      const own = issues.filter((issue) => issue.folder === at);
      const { skills: found } = createScan([folder], maxFileBytes)();
      if (found.length + own.length === 0) return [{ path, message: 'contains no directory with a SKILL.md' }];
      const left = own.filter(({ whole }) => !whole);
      return left.map(({ text }) => ({ path, message: `contains a skill that is ignored: ${text}` }));
    });
  },
  // A change of the source of skills counts as weakening.
  weakens: weakensUnless({}, ['toolName', 'maxFileBytes']),
  create: skills,
});
