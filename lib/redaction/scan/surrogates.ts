/** Returns whether a unit is the first half of a pair. */
export function isHigh(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

/** Returns whether a cut would split a surrogate pair. */
export function cutsPair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 && isHigh(text.charCodeAt(at - 1));
}
