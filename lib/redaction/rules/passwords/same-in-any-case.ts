/** What a letter is written as besides its two cases: the last sigma of Greek, and capitals that lose their accent. */
const OTHERS: Readonly<Record<string, string>> = { ς: 'σΣ', ό: 'οΟ', ή: 'ηΗ', ά: 'αΑ', ώ: 'ωΩ' };

/** The source of a pattern with each letter of any script in both cases, for patterns of which another part minds the case. Its classes must hold no letters. */
export function sameInAnyCase(source: string): string {
  return source.replace(/\\.|\p{L}/gu, (part) => {
    const [lower, upper] = [part.toLowerCase(), part.toUpperCase()];
    if (part.startsWith('\\') || lower === upper || lower.length !== 1 || upper.length !== 1) return part;
    return `[${lower}${upper}${OTHERS[lower] ?? ''}]`;
  });
}
