/** A test for names: strings are exact or globs (`*` any characters, `?` one), regular expressions as they are but without `g` and `y`. */
export function createMatcher(patterns: readonly (string | RegExp)[]): (name: string) => boolean {
  const tests = patterns.map(toTest);
  return (name) => tests.some((test) => test(name));
}

function toTest(pattern: string | RegExp): (name: string) => boolean {
  if (typeof pattern === 'string') return /[*?]/.test(pattern) ? createGlob(pattern) : (name) => name === pattern;
  // With `g` or `y` a RegExp remembers where it stopped, and every second call would escape.
  const regExp = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''));
  return (name) => regExp.test(name);
}

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
