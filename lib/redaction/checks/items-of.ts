/** The text between two items of a list in quotes, or between two of YAML. */
const BETWEEN = /["'`][ \t]*,\s*["'`]|["']?\r?\n[ \t]*-[ \t]+["']?/;

/** Returns the items of a list without its brackets and outer quotes, or without any quotes if it is `bare`; for any other text, the text itself. */
export function itemsOf(list: string, bare = false): readonly string[] {
  return bare ? list.split(',').map((item) => item.trim()) : list.split(BETWEEN);
}
