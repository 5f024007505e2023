import type { Finding, Redactor, StreamOptions } from '../../../redaction/redactor.ts';
import type { JsonLeaf } from './json-leaf.ts';
import type { StructureView } from './structure-views.ts';

/** The confidences that remain, and the known values. */
export type ScanHow = Pick<StreamOptions, 'leave' | 'memory'>;

/** Redacts a view and writes the results to its leaves. Returns the new findings. */
export function scanView(redactor: Redactor, view: StructureView, how: ScanHow): readonly Finding[] {
  const { leave = [] } = how;
  const parts = view.parts.map((part) => (typeof part === 'string' ? part : part.text));
  const whole = parts.join('');
  const { text, findings } = redactor.redact(whole, how);
  if (findings.length === 0) return [];
  const fresh: Finding[] = [];
  const shown = shownIn(whole, text, findings);
  const changes = new Map<JsonLeaf, string>();
  let from = whole.length;
  for (let at = parts.length - 1; at >= 0; at--) {
    const part = view.parts[at] as JsonLeaf | string;
    from -= (parts[at] as string).length;
    if (typeof part === 'string') continue;
    for (let place = findings.length - 1; place >= 0; place--) {
      const finding = findings[place] as Finding;
      const { start, end, confidence = 'format' } = finding;
      if (end <= from || start >= from + part.text.length) continue;
      if (view.provenOnly && (confidence !== 'format' || isWithin(start, end, from, part.text.length))) continue;
      if (view.sureOnly && confidence === 'guessed') continue;
      const stays = leave.includes(confidence);
      if (!(stays && part.reported) && !fresh.includes(finding)) fresh.unshift(finding);
      if (stays) part.reported = true;
      else {
        const now = changes.get(part) ?? part.text;
        const head = part.text.slice(0, Math.max(0, start - from));
        changes.set(part, head + (shown[place] as string) + now.slice(Math.max(0, end - from)));
      }
    }
  }
  for (const [leaf, now] of changes) leaf.text = now;
  return fresh;
}

/** A secret in one leaf was already found there. */
const isWithin = (start: number, end: number, from: number, length: number): boolean =>
  start >= from && end <= from + length;

/** Returns the replacement of each finding. The text between two findings is unchanged. */
function shownIn(whole: string, text: string, findings: readonly Finding[]): readonly string[] {
  let at = 0;
  let to = 0;
  return findings.map(({ start, end, rule }, place) => {
    at += start - to;
    to = end;
    const next = findings[place + 1];
    const between = whole.slice(end, next?.start);
    const stop = next ? text.indexOf(between, at) : text.length - between.length;
    if (stop < at || (next && between === '')) return `[REDACTED:${rule}]`;
    const shown = text.slice(at, stop);
    at = stop;
    return shown;
  });
}
