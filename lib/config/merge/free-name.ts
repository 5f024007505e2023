/** Returns a function that creates free names: the name itself, or with the first free number (`name.2`). */
export function createFreeNames(taken: (name: string) => boolean): (name: string) => string {
  const last = new Map<string, number>();
  return (name) => {
    if (!last.has(name) && !taken(name)) return name;
    let nth = last.get(name) ?? 1;
    do nth += 1;
    while (taken(`${name}.${nth}`));
    last.set(name, nth);
    return `${name}.${nth}`;
  };
}
