/** The name, or the first one with a number behind it (`name.2`) that is not taken. */
export function freeName(name: string, taken: (name: string) => boolean): string {
  let free = name;
  for (let nth = 2; taken(free); nth += 1) free = `${name}.${nth}`;
  return free;
}
