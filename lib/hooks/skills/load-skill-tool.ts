import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { z } from 'zod';
import { nearestOrAll } from '../../errors/nearest-name.ts';
import { errorResult, type ToolResult, toolResult } from '../../events/parts/tool-result.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import { defineTool, type Tool } from '../../pipeline/define/tool.ts';
import { readText } from '../files/read-text.ts';
import { staysIn } from '../files/stays-in.ts';
import { type Skill, skillFile } from './scan-skills.ts';

/** The maximum number of listed files of a skill. */
const MOST_FILES = 200;

const inputSchema = z.strictObject({
  name: z.string().describe('Name of the skill.'),
  file: z.string().optional().describe('Path of a file in the skill (default: its instructions).'),
});

/** Creates the tool that loads a skill or one of its files. It reads only in the skill's folder, and executes nothing. */
export function loadSkillTool(toolName: string, skillsNow: () => readonly Skill[], maxBytes: number): Tool {
  return defineTool<z.output<typeof inputSchema>>({
    name: toolName,
    description: 'Loads the instructions or a file of a skill.',
    inputSchema,
    permission: 'read',
    execute({ name, file }) {
      const skills = skillsNow();
      const skill = skills.find((one) => one.name === name);
      if (!skill) return unknownSkill(name, skills);
      try {
        return file === undefined ? instructionsOf(skill) : fileOf(skill, file, maxBytes);
      } catch {
        // The system's error names paths that the model must not see.
        return errorResult(`${JSON.stringify(file ?? name)} cannot be read.`);
      }
    },
  }) as Tool;
}

/** Returns the file that a call of the tool reads, or undefined if it names no skill. */
export function fileOfCall(input: JsonObject, skills: readonly Skill[]): string | undefined {
  const { success, data } = inputSchema.safeParse(input);
  const skill = success ? skills.find(({ name }) => name === data.name) : undefined;
  if (!skill) return undefined;
  return data?.file === undefined ? skillFile(skill) : join(skill.root, data.file);
}

function unknownSkill(name: string, skills: readonly Skill[]): ToolResult {
  const names = skills.map((one) => one.name);
  const help = nearestOrAll(name, names);
  return errorResult(`There is no skill ${JSON.stringify(name)}. ${help}`);
}

function instructionsOf({ name, body, root }: Skill): ToolResult {
  const files = filesIn(root).filter((path) => path !== 'SKILL.md');
  if (files.length === 0) return toolResult(body);
  const more = files.length > MOST_FILES ? [`.. and ${files.length - MOST_FILES} more`] : [];
  const list = [...files.slice(0, MOST_FILES), ...more].map((path) => `- ${path}`).join('\n');
  return toolResult(`${body}\n\n[Files of the skill ${name}. Load one with the same tool and "file":\n${list}]`);
}

/** Lists the paths of a folder's files, in order. */
function filesIn(folder: string, before = ''): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !isLeftOut(name))
    .flatMap((entry) => {
      const path = before + entry.name;
      return entry.isDirectory() ? filesIn(join(folder, entry.name), `${path}/`) : entry.isFile() ? [path] : [];
    })
    .sort();
}

/** Skips files of tools, such as .git, and packages. */
function isLeftOut(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules';
}

function fileOf({ name, root }: Skill, file: string, maxBytes: number): ToolResult {
  const shown = JSON.stringify(file);
  const path = join(root, file);
  const stats = statSync(path, { throwIfNoEntry: false });
  // A file outside is reported like a missing one, to reveal nothing about it.
  if (!stats?.isFile() || !staysIn(root, path) || relative(root, realpathSync(path)).split(sep).some(isLeftOut))
    return errorResult(`The skill ${name} has no file ${shown}.`);
  if (stats.size > maxBytes)
    return errorResult(`The file ${shown} of the skill ${name} has ${stats.size} bytes; the limit is ${maxBytes}.`);
  const { text } = readText(realpathSync(path), maxBytes);
  return text === undefined ? errorResult(`The file ${shown} of the skill ${name} is not text.`) : toolResult(text);
}
