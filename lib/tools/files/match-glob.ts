/**
 * Returns a test for paths with `/`. `*` and `?` match within a name, `**` matches across folders, `{a,b}` lists alternatives. A glob without `/`
 * matches the last name.
 */
export function matchGlob(glob: string): (path: string) => boolean {
  const alternatives = expandBraces(glob).map((each) => (each.includes('/') ? each : `**/${each}`).split('/'));
  return (path) => {
    const names = path.split('/');
    return alternatives.some((parts) => matches(parts, names, '**', matchesName));
  };
}

const maxAlternatives = 100;

function matchesName(part: string, name: string): boolean {
  return matches([...part], [...name], '*', (wanted, letter) => wanted === '?' || wanted === letter);
}

// Backtracks only to the last star, so it takes at most parts times items steps.
function matches(
  parts: readonly string[],
  items: readonly string[],
  star: string,
  same: (part: string, item: string) => boolean,
): boolean {
  let [part, item] = [0, 0];
  let [lastStar, resume] = [-1, 0];
  while (item < items.length) {
    const wanted = parts[part];
    if (wanted === star) {
      lastStar = part;
      resume = item;
      part += 1;
    } else if (wanted !== undefined && same(wanted, items[item]!)) {
      part += 1;
      item += 1;
    } else if (lastStar >= 0) {
      resume += 1;
      item = resume;
      part = lastStar + 1;
    } else return false;
  }
  return parts.slice(part).every((rest) => rest === star);
}

// Unclosed or excessive braces are literal.
function expandBraces(glob: string): string[] {
  let open = [glob];
  for (let found = true; found && open.length <= maxAlternatives; ) {
    const next = open.flatMap(expandInnermost);
    found = next.length !== open.length || next.some((each, index) => each !== open[index]);
    open = next;
  }
  return open.slice(0, maxAlternatives);
}

function expandInnermost(glob: string): string[] {
  const close = glob.indexOf('}');
  const start = close < 0 ? -1 : glob.lastIndexOf('{', close);
  if (start < 0) return [glob];
  const choices = glob.slice(start + 1, close).split(',');
  return choices.map((choice) => glob.slice(0, start) + choice + glob.slice(close + 1));
}
