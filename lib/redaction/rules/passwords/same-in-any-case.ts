/** Further forms of a letter besides its two cases: the last sigma of Greek, and capitals that lose their accent. */
const OTHERS: Readonly<Record<string, string>> = { ς: 'σΣ', ό: 'οΟ', ή: 'ηΗ', ά: 'αΑ', ώ: 'ωΩ' };

/**
 * Returns the source of a pattern with each letter of any script in both cases, for patterns with a case-sensitive part. Its classes must not contain letters.
 */
export function sameInAnyCase(source: string): string {
  return source.replace(/\\.|[a-z]|[^\0-\x7f]/giu, (part) => {
    const lower = part.toLowerCase();
    const upper = part.toUpperCase();
    if (part.startsWith('\\') || lower === upper || lower.length !== 1 || upper.length !== 1) return part;
    return `[${lower}${upper}${OTHERS[lower] ?? ''}]`;
  });
}
