import type { Confidence } from '../confidence.ts';
import { confidences } from '../confidence.ts';
import { decodeText } from '../escapes/decode-text.ts';
import { type EngineStream, type Replaced, redactionStream, type StreamMaker } from '../redaction-stream.ts';
import type { Finding, RedactionStream, StreamOptions } from '../redactor.ts';
import type { Replacer } from '../show/replacer.ts';
import type { KnownSecrets } from './secret-memory.ts';

/** From this position of the output on, places of the original text are shifted by this amount. */
interface Shift {
  readonly from: number;
  readonly by: number;
}

/**
 * Creates a stream whose output passes a second one that searches for remembered values. A finding of the first is known from the next character on. The
 * second restarts there, so that the result does not depend on the chunks.
 */
export function rememberingStream(
  first: StreamMaker,
  memory: KnownSecrets,
  names: readonly string[],
  replace: Replacer,
  { leave = [], onFinding }: StreamOptions,
): RedactionStream {
  const findings: Finding[] = [];
  const report = onFinding ?? ((finding: Finding) => void findings.push(finding));
  /** The findings of both streams, in text order, that are not reported yet. */
  let ones: Finding[] = [];
  let twos: Finding[] = [];
  let replaced: Replaced[] = [];
  const shifts: Shift[] = [{ from: 0, by: 0 }];
  /** The number of characters from the first stream, and those before the current second stream. */
  let emitted = 0;
  let origin = 0;
  let second: EngineStream | undefined;
  /** Values that stay in this text: they are known from the next one on. */
  const left = new Map<string, number>();

  const stream = first({
    leave,
    onFinding: (finding) => void ones.push(finding),
    onReplaced: (one) => void replaced.push(one),
    onLeft: (value, order, level) => void (isSure(confidences[level]) && left.set(value, order)),
  });

  const placeOf = (at: number): number => {
    let shift = shifts.length - 1;
    while (shift > 0 && shifts[shift]!.from > at) shift--;
    return at + shifts[shift]!.by;
  };

  const begin = (): void => {
    const { engine, labels } = memory.engine();
    const base = origin;
    const all = { ...engine, labels: new Set([...engine.labels, ...names]) };
    second = redactionStream(all, labels, replace, {
      leave,
      onFinding: (finding) =>
        void twos.push({ ...finding, start: placeOf(base + finding.start), end: placeOf(base + finding.end - 1) + 1 }),
    });
  };

  const pass = (text: string): string => {
    emitted += text.length;
    if (memory.size === 0) {
      origin = emitted;
      return text;
    }
    if (!second) {
      origin = emitted - text.length;
      begin();
    }
    return (second as EngineStream).write(text);
  };

  const stop = (how: 'end' | 'abort'): string => {
    const rest = second?.[how]() ?? '';
    second = undefined;
    origin = emitted;
    return rest;
  };

  /** Forwards the output of the first stream, and restarts after each new secret. */
  const take = (text: string): string => {
    let out = '';
    let from = 0;
    const before = emitted;
    for (const { to, end, value, rule, level } of replaced) {
      out += pass(text.slice(from, to - before));
      from = to - before;
      shifts.push({ from: to, by: end - to });
      const known = memory.size;
      if (value !== undefined && isSure(confidences[level])) {
        memory.add(value, rule);
        memory.add(decodeText(value), rule);
      }
      if (memory.size > known) out += stop('end');
    }
    replaced = [];
    return out + pass(text.slice(from));
  };

  const settle = (): void => {
    const settled = Math.min(stream.reportedTo(), second ? placeOf(origin + second.reportedTo()) : Infinity);
    if (ones.length > 0 || twos.length > 0) {
      const ready = [...ones, ...twos].filter(({ start }) => start < settled).sort((a, b) => a.start - b.start);
      ones = ones.filter(({ start }) => start >= settled);
      twos = twos.filter(({ start }) => start >= settled);
      for (const finding of ready) report(finding);
    }
    const least = placeOf(Math.max(0, origin - 1));
    while (shifts.length > 2 && shifts[1]!.from + shifts[1]!.by < Math.min(least, settled)) shifts.shift();
  };

  const give = (text: string, how?: 'end' | 'abort'): string => {
    const out = take(text) + (how ? stop(how) : '');
    settle();
    if (how) for (const [value, order] of left) memory.add(value, names[order] ?? 'secret');
    return out;
  };

  return {
    findings,
    write: (text) => give(stream.write(text)),
    end: () => give(stream.end(), 'end'),
    abort: () => give(stream.abort(), 'abort'),
  };
}

const isSure = (confidence: Confidence | undefined): boolean => confidence === 'format' || confidence === 'assigned';
