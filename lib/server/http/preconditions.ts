import { HooklineError } from '../../errors.ts';
import { refuse } from './refuse.ts';

export function etagOf(revision: number): string {
  return `"${revision}"`;
}

/** Whether a reader has this revision already. */
export function isFresh(headers: Headers, revision: number): boolean {
  const tags = tagsOf(headers, 'if-none-match');
  if (tags === undefined) return false;
  // Weak comparison: what a proxy has marked as weak is the same to a reader. Of what was never saved there is nothing for `*`.
  return tags === '*' ? revision > 0 : tags.some((tag) => tag.replace(/^W\//, '') === etagOf(revision));
}

/**
 * The revision that a document must still have when it is written, from `If-Match` and `If-None-Match`; undefined where the caller does not mind.
 * A condition that does not hold now is 412. `*` is any revision; a document that was never saved has 0, which `"0"` names.
 */
export async function conditionOf(headers: Headers, now: () => Promise<number>): Promise<number | undefined> {
  const match = tagsOf(headers, 'if-match');
  if (match === undefined && tagsOf(headers, 'if-none-match') === undefined) return undefined;
  const revision = await now();
  const holds = match === undefined || (match === '*' ? revision > 0 : match.includes(etagOf(revision)));
  if (!holds || isFresh(headers, revision)) {
    throw refuse(412, `The revision is ${etagOf(revision)} now, which the request did not expect. Read it again.`);
  }
  return revision;
}

function tagsOf(headers: Headers, name: string): readonly string[] | '*' | undefined {
  const value = headers.get(name)?.trim();
  if (value === undefined) return undefined;
  if (value === '*') return '*';
  const tags = value.split(',').map((tag) => tag.trim());
  if (tags.every((tag) => /^(?:W\/)?"[\x21\x23-\x7e]*"$/.test(tag))) return tags;
  const got = JSON.stringify(value.slice(0, 60));
  throw new HooklineError('INPUT_INVALID', `The header ${name}: expected * or revisions in quotes ("3"), got ${got}.`);
}
