import { parse } from 'yaml';
import { z } from 'zod';
import { messageOf } from '../../errors/describe-thrown.ts';

/** The content of a SKILL.md. */
export interface SkillText {
  readonly name: string;
  readonly description: string;
  /** The text after the front matter. */
  readonly body: string;
}

/** The maximum length of the front matter, in characters. */
const LONGEST = 10_000;
const NAME = 64;
const DESCRIPTION = 1_024;

const frontMatter = z.object({
  name: z
    .string('is missing')
    .max(NAME, `is longer than ${NAME} characters`)
    .regex(
      /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
      'must contain only lower-case letters and digits, separated by single hyphens',
    ),
  description: z
    .string('is missing')
    .trim()
    .min(1, 'is empty')
    .max(DESCRIPTION, `is longer than ${DESCRIPTION} characters`),
});

/** Parses a SKILL.md. Throws one error that lists all problems of its front matter. */
export function parseSkill(text: string): SkillText {
  const begin = /^---[ \t]*\r?\n/.exec(text)?.[0];
  if (begin === undefined) throw new Error('has no front matter: it must start with a line of ---');
  const end = /(?:^|\r?\n)---[ \t]*(?:\r?\n|$)/.exec(text.slice(begin.length, begin.length + LONGEST));
  if (!end) throw new Error(`has front matter that does not end, or is longer than ${LONGEST} characters`);
  const at = begin.length + end.index;
  const parsed = frontMatter.safeParse(readYaml(text.slice(begin.length, at)) ?? {});
  if (parsed.success) return { ...parsed.data, body: text.slice(at + end[0].length).trim() };
  const problems = parsed.error.issues.map(({ path, message }) => [...path.map(String), message].join(' '));
  throw new Error(`has front matter whose ${problems.join(', and whose ')}`);
}

function readYaml(text: string): unknown {
  try {
    return parse(text, { logLevel: 'error' });
  } catch (thrown) {
    throw new Error(`has front matter that is not YAML: ${messageOf(thrown).split('\n')[0]}`);
  }
}
