/** The text between two items of a list in quotes, or between two of YAML. */
const BETWEEN = /["'`][ \t]*,\s*["'`]|["']?\r?\n[ \t]*-[ \t]+["']?/;

/** Returns the items of a list without its brackets and outer quotes; for any other text, the text itself. */
export function itemsOf(list: string): readonly string[] {
  return list.split(BETWEEN);
}
