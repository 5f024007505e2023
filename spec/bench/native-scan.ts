import type { CompiledRule } from '../../lib/redaction/compile/compiled-rule.ts';

const FRAGMENT = 4096;

/** What one would write without an engine: fragments of the text, the keywords of each rule, then its RegExp. Gives the number of matches. */
export function nativeScan(rules: readonly CompiledRule[]): (text: string) => number {
  const scans = rules.flatMap(({ rule, anchors }) => {
    const expression = toRegExp(rule.pattern ?? rule.literal ?? '');
    const gates = rule.keywords?.map((keyword) => keyword.toLowerCase()) ?? anchors;
    return expression ? [{ expression, gates }] : [];
  });
  return (text) => {
    let matches = 0;
    for (let at = 0; at < text.length; at += FRAGMENT) {
      const fragment = text.slice(at, at + FRAGMENT);
      const lower = fragment.toLowerCase();
      for (const { expression, gates } of scans) {
        if (gates.length > 0 && !gates.some((gate) => lower.includes(gate))) continue;
        expression.lastIndex = 0;
        while (expression.exec(fragment)) matches++;
      }
    }
    return matches;
  };
}

/** Near enough for a measurement: an inline flag counts for the whole pattern. */
export function toRegExp(pattern: RegExp | string): RegExp | undefined {
  if (typeof pattern !== 'string') return new RegExp(pattern.source, `${pattern.flags.replace(/[gy]/g, '')}g`);
  const source = pattern
    .replace(/\(\?[is]+\)/g, '')
    .replace(/\(\?-?[is]+:/g, '(?:')
    .replace(/\\z/g, '$')
    .replace(/\(\?P</g, '(?<')
    .replace(/\[:alnum:\]/g, '0-9A-Za-z');
  try {
    return new RegExp(source, /\(\?i/.test(pattern) ? 'gi' : 'g');
  } catch {
    return undefined;
  }
}
