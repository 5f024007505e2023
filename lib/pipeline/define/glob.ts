/**
 * A test for whole names: `*` stands for any characters, `?` for one. It never backtracks over more than the last `*`: globs come over the
 * network too, and the regular expression of `*a*a*a*b` takes time that grows with a power of the name.
 */
export function createGlob(glob: string): (name: string) => boolean {
  return (name) => {
    let at = 0;
    let star = -1;
    let resumed = 0;
    let index = 0;
    while (index < name.length) {
      if (glob[at] === '*') {
        star = at++;
        resumed = index;
      } else if (at < glob.length && (glob[at] === '?' || glob[at] === name[index])) {
        at++;
        index++;
      } else if (star >= 0) {
        // An earlier star need not give way: whatever lies between it and this one was matched as far left as can be.
        at = star + 1;
        index = ++resumed;
      } else return false;
    }
    while (glob[at] === '*') at++;
    return at === glob.length;
  };
}
