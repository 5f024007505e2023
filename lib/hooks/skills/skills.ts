import { HooklineError } from '../../errors.ts';
import { modify } from '../../events/decisions/modify.ts';
import { systemMessage } from '../../events/parts/messages.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import { type Hook, HookPriority, verdict } from '../../pipeline/define/hook.ts';
import type { Logger } from '../../pipeline/logger.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { weakensUnless } from '../weakens-unless.ts';
import { fileOfCall, loadSkillTool } from './load-skill-tool.ts';
import { createScan, type Skill, skillFile } from './scan-skills.ts';
import { type SkillsOptions, skillsOptionsSchema } from './skills-options.ts';

/** Behind the hooks that add instructions. */
const BEHIND_HINTS = HookPriority.PREPROCESSING + 5;

/**
 * Tells the model which skills there are, and brings the tool that loads one, with its files. The list is a system message in each
 * request that offers the tool, and in no transcript. Nothing of a skill is run. Skills that come, change or go are taken up with the next
 * request. A skill with a fault is left out, and the log says so with the next request; `notices` of the entry lists the faults beforehand.
 * A folder that cannot be read when the hook is made is `OPTIONS_INVALID`.
 *
 * A skill, or a file of one, that approvers with `denies`, such as `permission`, do not let the model read is neither listed nor loaded.
 *
 * Calls at once: the tool only reads. Sub-agents: they have the skills, too. Retry, suspend and resume: nothing is kept.
 */
export function skills(options: SkillsOptions): Hook {
  const { name, folders, toolName, maxFileBytes } = parseHookOptions('skills', skillsOptionsSchema, options);
  const scan = createScan(folders, maxFileBytes);
  const unread = scan().faults.filter(({ whole }) => whole);
  if (unread.length > 0)
    throw new HooklineError(
      'OPTIONS_INVALID',
      [`The hook "${name}" cannot read its folders:`, ...unread.map(({ text }) => text)].join('\n  '),
    );
  let told: readonly string[] = [];

  function skillsNow(log: Logger): readonly Skill[] {
    const { skills: found, faults } = scan();
    const texts = faults.map(({ text }) => text);
    for (const text of texts)
      if (!told.includes(text)) log.warn({ code: 'skill-fault' }, `a skill is left out: ${text}`);
    told = texts;
    return found;
  }

  let withheld = '';
  function readable(found: readonly Skill[], mayRead: (place: string) => boolean, log: Logger): readonly Skill[] {
    const open = found.filter((skill) => mayRead(skillFile(skill)));
    const closed = found.filter((skill) => !open.includes(skill)).map((skill) => skill.name);
    const now = closed.join(', ');
    if (now !== withheld && now !== '')
      log.info({ code: 'skills-withheld' }, `rules do not let the model read these skills, which are left out: ${now}`);
    withheld = now;
    return open;
  }

  return defineHook({
    name,
    description: 'Tells the model which skills there are, and loads those that it wants.',
    priority: BEHIND_HINTS,
    tools: [loadSkillTool(toolName, () => scan().skills, maxFileBytes)],
    approve({ toolCall }, { mayRead }) {
      const file = toolCall.name === toolName ? fileOfCall(toolCall.input, scan().skills) : undefined;
      if (file === undefined || mayRead(file)) return verdict.allow();
      return verdict.deny('The rules do not let the model read this file.');
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

/** The catalogue entry of `skills`. */
export const skillsEntry = defineCatalogueEntry({
  name: 'skills',
  description: 'Tells the model which skills there are, and loads those that it wants.',
  events: ['preReasoning'],
  // It refuses loads that other hooks would refuse.
  approves: false,
  optionsSchema: skillsOptionsSchema,
  example: { folders: ['skills'] },
  notices({ folders, maxFileBytes }) {
    const { faults } = createScan(folders, maxFileBytes)();
    return folders.flatMap((folder, at) => {
      const path = ['folders', at];
      const own = faults.filter((fault) => fault.folder === at);
      const { skills: found } = createScan([folder], maxFileBytes)();
      if (found.length + own.length === 0) return [{ path, message: 'holds no folder with a SKILL.md' }];
      const left = own.filter(({ whole }) => !whole);
      return left.map(({ text }) => ({ path, message: `holds a skill that is left out: ${text}` }));
    });
  },
  // Where skills come from is not free.
  weakens: weakensUnless({ toolName: 'free', maxFileBytes: 'free' }),
  create: skills,
});
