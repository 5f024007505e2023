import { HooklineError } from '../../errors.ts';
import { refuse } from './refuse.ts';

export function etagOf(revision: number): string {
  return `"${revision}"`;
}

/** Whether the client already has this revision. */
export function isFresh(headers: Headers, revision: number): boolean {
  const tags = tagsOf(headers, 'if-none-match');
  if (tags === undefined) return false;
  // Weak comparison, because a proxy may have marked the tag as weak. `*` does not match a document that was never saved.
  return tags === '*' ? revision > 0 : tags.some((tag) => tag.replace(/^W\//, '') === etagOf(revision));
}

/**
 * The revision that a document must have when it is written, from `If-Match` and `If-None-Match`; undefined without these headers.
 * A condition that does not hold is rejected (412). `*` is any revision. A document that was never saved has the revision `"0"`.
 */
export async function conditionOf(headers: Headers, now: () => Promise<number>): Promise<number | undefined> {
  const match = tagsOf(headers, 'if-match');
  if (match === undefined && tagsOf(headers, 'if-none-match') === undefined) return undefined;
  const revision = await now();
  const holds = match === undefined || (match === '*' ? revision > 0 : match.includes(etagOf(revision)));
  if (!holds || isFresh(headers, revision)) {
    throw refuse(412, `The current revision is ${etagOf(revision)}, which does not match the request. Fetch it again.`);
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
  throw new HooklineError('INPUT_INVALID', `Header ${name}: expected * or revisions in quotes ("3"), got ${got}.`);
}
