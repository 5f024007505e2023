/** What stands for all names that there is no room for. */
export const OTHER = 'other';

/** Makes a function that gives a name back, as long as there are no more than so many different ones; then `other`. */
export function boundedNames(most: number): (name: string) => string {
  const known = new Set<string>();
  return (name) => {
    if (known.has(name)) return name;
    if (known.size >= most) return OTHER;
    known.add(name);
    return name;
  };
}
