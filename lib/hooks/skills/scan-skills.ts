import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../errors/describe-thrown.ts';
import { readText } from '../files/read-text.ts';
import { type Stamp, sameStamp, stampOf } from '../files/stamp.ts';
import { staysIn } from '../files/stays-in.ts';
import { parseSkill, type SkillText } from './parse-skill.ts';

export interface Skill extends SkillText {
  /** The real path of its folder. */
  readonly root: string;
}

/** A problem of a skill, or of a whole folder. */
export interface SkillIssue {
  /** The index of the folder in the list of folders. */
  readonly folder: number;
  /** Whether the whole folder is unreadable. */
  readonly whole: boolean;
  /** The path and the problem, on one line. */
  readonly text: string;
}

/** The current skills of the folders, and the problems of others. */
export interface Skills {
  readonly skills: readonly Skill[];
  readonly issues: readonly SkillIssue[];
}

/** Returns the path of its SKILL.md. */
export const skillFile = ({ root }: Skill): string => join(root, FILE);

type Read = Map<string, { readonly stamp: Stamp; readonly found: SkillText | Error }>;

const FILE = 'SKILL.md';

/** Creates the scan of the folders. It reads a SKILL.md again only after a change. */
export function createScan(folders: readonly string[], maxBytes: number): () => Skills {
  /** The files read by the previous scan and by this one. */
  let before: Read = new Map();
  let read: Read = new Map();

  function readSkill(file: string): SkillText {
    const stamp = stampOf(statSync(file));
    const known = before.get(file);
    const isKnown = known !== undefined && sameStamp(known.stamp, stamp);
    const found = isKnown ? known.found : attempt(() => parseSkill(textOf(file, maxBytes)));
    read.set(file, { stamp, found });
    if (found instanceof Error) throw found;
    return found;
  }

  function skillsIn(folder: string, issue: (text: string, whole?: boolean) => void): Skill[] {
    const real = attempt(() => realpathSync(folder));
    const names = real instanceof Error ? real : attempt(() => readdirSync(real).sort());
    if (real instanceof Error || names instanceof Error) {
      issue(`${folder}: cannot be read (${messageOf(real instanceof Error ? real : names)})`, true);
      return [];
    }
    return names.flatMap((name) => {
      const root = join(real, name);
      const file = join(root, FILE);
      if (!existsSync(file)) return [];
      const skill = attempt(() => {
        if (lstatSync(root).isSymbolicLink() && !staysIn(real, root))
          throw new Error('is a link out of the directory; add its target to `folders`');
        if (!staysIn(realpathSync(root), file)) throw new Error('is a link out of the skill');
        return { ...readSkill(file), root: realpathSync(root) };
      });
      if (!(skill instanceof Error)) return [skill];
      issue(`${join(folder, name, FILE)}: ${skill.message}`);
      return [];
    });
  }

  return () => {
    const issues: SkillIssue[] = [];
    [before, read] = [read, new Map()];
    const byName = new Map<string, Skill>();
    for (const [at, folder] of folders.entries()) {
      const issue = (text: string, whole = false) => void issues.push({ folder: at, whole, text });
      for (const skill of skillsIn(folder, issue)) {
        const first = byName.get(skill.name);
        if (first === undefined) byName.set(skill.name, skill);
        else if (first.root !== skill.root)
          issue(`${join(skill.root, FILE)}: has the same name "${skill.name}" as ${join(first.root, FILE)}`);
      }
    }
    const skills = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    return { skills, issues };
  };
}

function textOf(file: string, maxBytes: number): string {
  const { size } = statSync(file);
  if (size > maxBytes) throw new Error(`is longer than ${maxBytes} bytes`);
  const { text } = readText(realpathSync(file), maxBytes);
  if (text === undefined) throw new Error('is not text');
  return text;
}

function attempt<T>(work: () => T): T | Error {
  try {
    return work();
  } catch (thrown) {
    return thrown instanceof Error ? thrown : new Error(messageOf(thrown));
  }
}
