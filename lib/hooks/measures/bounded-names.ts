/** Replaces all names above the limit. */
export const OTHER = 'other';

/** Creates a function that returns names unchanged up to `most` different ones, then `other`. */
export function boundedNames(most: number): (name: string) => string {
  const known = new Set<string>();
  return (name) => {
    if (known.has(name)) return name;
    if (known.size >= most) return OTHER;
    known.add(name);
    return name;
  };
}
