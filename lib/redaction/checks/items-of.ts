/** What stands between two items of a list in quotes, or between two of YAML. */
const BETWEEN = /["'`][ \t]*,\s*["'`]|["']?\r?\n[ \t]*-[ \t]+["']?/;

/** The items of a list without its brackets and its outer quotes; of anything else the text itself. */
export function itemsOf(list: string): readonly string[] {
  return list.split(BETWEEN);
}
