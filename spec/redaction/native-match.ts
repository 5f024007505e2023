import type { Rule } from '../../lib/redaction/compile/rule.ts';
import { entropy } from '../../lib/redaction/scan/entropy.ts';

/** Returns the first secret that `rule` finds in a text, by the native engine alone: the reference for the scanner. */
export function nativeMatch(rule: Rule, text: string): string | undefined {
  return nativeMatches(rule, text)[0]?.secret;
}

export function nativeMatches(rule: Rule, text: string): Array<{ readonly secret: string; readonly index: number }> {
  const { source, flags } = rule.pattern as RegExp;
  const lower = text.toLowerCase();
  if (rule.keywords && !rule.keywords.some((keyword) => lower.includes(keyword))) return [];
  return [...text.matchAll(new RegExp(source, `g${flags}`))].flatMap((match) => {
    const secret =
      (rule.secretGroup ? match[rule.secretGroup] : match.slice(1).find((group) => group !== undefined)) ?? match[0];
    const line = text.slice(text.lastIndexOf('\n', match.index) + 1, match.index + match[0].length);
    const targets = { secret, match: match[0], line };
    const allowed = (rule.allow ?? []).some(
      ({ pattern, stopWords, target = 'secret' }) =>
        (!pattern || new RegExp(pattern).test(targets[target])) &&
        (!stopWords || stopWords.some((word) => secret.toLowerCase().includes(word.toLowerCase()))),
    );
    const real = !allowed && entropy(secret) >= (rule.entropy ?? 0) && (rule.check?.(secret, targets) ?? true);
    return real ? [{ secret, index: match.index }] : [];
  });
}
