import { createHash } from 'node:crypto';

/** Tells whether a text is a new one; those that came more than `ms` ago are forgotten. */
export function rememberTexts(ms: number): (text: string) => boolean {
  // In the order of their ends: all are kept for the same time.
  const ends = new Map<string, number>();
  return (text) => {
    const now = performance.now();
    for (const [known, end] of ends) {
      if (end > now) break;
      ends.delete(known);
    }
    const key = createHash('sha256').update(text).digest('base64');
    if (ends.has(key)) return false;
    ends.set(key, now + ms);
    return true;
  };
}
