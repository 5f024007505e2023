import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../errors/describe-thrown.ts';
import { readText } from '../files/read-text.ts';
import { type Stamp, sameStamp, stampOf } from '../files/stamp.ts';
import { staysIn } from '../files/stays-in.ts';
import { parseSkill, type SkillText } from './parse-skill.ts';

/** A skill in its folder. */
export interface Skill extends SkillText {
  /** The real path of its folder. */
  readonly root: string;
}

/** What is wrong with a skill, or with a whole folder. */
export interface SkillFault {
  /** The index of the folder in the list of folders. */
  readonly folder: number;
  /** Whether nothing of the folder can be read. */
  readonly whole: boolean;
  /** The path and what is wrong, on one line. */
  readonly text: string;
}

/** What is in the folders now: the skills by name, and what is wrong with others. */
export interface Skills {
  readonly skills: readonly Skill[];
  readonly faults: readonly SkillFault[];
}

/** The path of its SKILL.md. */
export const skillFile = ({ root }: Skill): string => join(root, FILE);

type Read = Map<string, { readonly stamp: Stamp; readonly found: SkillText | Error }>;

const FILE = 'SKILL.md';

/** Makes what looks into the folders; a SKILL.md is read again when it has changed. */
export function createScan(folders: readonly string[], maxBytes: number): () => Skills {
  /** What the last look has read, and this one. */
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

  function skillsIn(folder: string, fault: (text: string, whole?: boolean) => void): Skill[] {
    const real = attempt(() => realpathSync(folder));
    const names = real instanceof Error ? real : attempt(() => readdirSync(real).sort());
    if (real instanceof Error || names instanceof Error) {
      fault(`${folder}: cannot be read (${messageOf(real instanceof Error ? real : names)})`, true);
      return [];
    }
    return names.flatMap((name) => {
      const root = join(real, name);
      const file = join(root, FILE);
      if (!existsSync(file)) return [];
      const skill = attempt(() => {
        if (lstatSync(root).isSymbolicLink() && !staysIn(real, root))
          throw new Error('leads out of the folder; give the folder that it leads to in `folders`');
        if (!staysIn(realpathSync(root), file)) throw new Error('is a link that leads out of the skill');
        return { ...readSkill(file), root: realpathSync(root) };
      });
      if (!(skill instanceof Error)) return [skill];
      fault(`${join(folder, name, FILE)}: ${skill.message}`);
      return [];
    });
  }

  return () => {
    const faults: SkillFault[] = [];
    [before, read] = [read, new Map()];
    const byName = new Map<string, Skill>();
    for (const [at, folder] of folders.entries()) {
      const fault = (text: string, whole = false) => void faults.push({ folder: at, whole, text });
      for (const skill of skillsIn(folder, fault)) {
        const first = byName.get(skill.name);
        if (first === undefined) byName.set(skill.name, skill);
        else if (first.root !== skill.root)
          fault(`${join(skill.root, FILE)}: has the name "${skill.name}", as ${join(first.root, FILE)} has`);
      }
    }
    const skills = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    return { skills, faults };
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
