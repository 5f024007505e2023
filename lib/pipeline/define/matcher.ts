/** Returns a test for names. Strings are exact names or globs (`*` any characters, `?` one). Regular expressions lose the flags `g` and `y`. */
export function createMatcher(patterns: readonly (string | RegExp)[]): (name: string) => boolean {
  const tests = patterns.map(toTest);
  return (name) => tests.some((test) => test(name));
}

function toTest(pattern: string | RegExp): (name: string) => boolean {
  if (typeof pattern === 'string') return /[*?]/.test(pattern) ? createGlob(pattern) : (name) => name === pattern;
  // With `g` or `y`, a RegExp keeps its last index, so every second call would not match.
  const regExp = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''));
  return (name) => regExp.test(name);
}

/**
 * Returns a test for whole names: `*` matches any characters, `?` one. It backtracks only to the last `*`, because globs also come over the network.
 * A regular expression for `*a*a*a*b` takes polynomial time in the length of the name.
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
        // An earlier star need not be retried, because the text between the stars was matched as far left as possible.
        at = star + 1;
        index = ++resumed;
      } else return false;
    }
    while (glob[at] === '*') at++;
    return at === glob.length;
  };
}
