/** The counts of the first 128 units; all zero between calls. */
const counts = new Uint32Array(128);

/** Returns the Shannon entropy of a text, in bits per character: 0 for one repeated letter, about 4 for hexadecimal digits. */
export function entropy(text: string): number {
  const others = new Map<number, number>();
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 128) counts[unit]!++;
    else others.set(unit, (others.get(unit) ?? 0) + 1);
  }
  let bits = 0;
  const add = (count: number): void => {
    bits -= (count / text.length) * Math.log2(count / text.length);
  };
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit > 127 || counts[unit] === 0) continue;
    add(counts[unit]!);
    counts[unit] = 0;
  }
  others.forEach(add);
  return bits;
}
