import type { Engine } from './compile/engine.ts';
import type { Finding, RedactionStream, StreamOptions } from './redactor.ts';
import { createFindingReports } from './scan/finding-reports.ts';
import { createReader } from './scan/reader.ts';
import { addRegion, createRegions, nameOf, newRegion, type Region } from './scan/regions.ts';
import { isHigh } from './scan/surrogates.ts';
import { headBegun, markerAt, markerHead } from './show/marker.ts';
import type { Replacer } from './show/replacer.ts';

/** The label of text that may be secret, because the stream was cut. */
const UNFINISHED = 'unfinished';

/** A region that was replaced, or has grown to its end behind its marker. */
export interface Replaced {
  /** Its end in the text, and the end of its replacement in the output. */
  readonly end: number;
  readonly to: number;
  /** The secret; `undefined` if its marker did not wait for its end, or if it has no rule. */
  readonly value: string | undefined;
  readonly rule: string;
  readonly level: number;
}

/** A stream that reports its progress. */
export interface EngineStream extends RedactionStream {
  /** Returns the place before which all findings are reported. */
  reportedTo(): number;
}

/** The receivers of the findings and values of a stream. */
export interface EngineStreamOptions extends StreamOptions {
  readonly onReplaced?: (replaced: Replaced) => void;
  /** Receives values that stay in the text, at no specified time; `order` is that of their rule. */
  readonly onLeft?: (value: string, order: number, level: number) => void;
}

/** Begins a stream of a redactor. */
export type StreamMaker = (options: EngineStreamOptions) => EngineStream;

/** Creates a stream through an engine. After `end` or `abort` it accepts and returns nothing. */
export function redactionStream(
  engine: Engine,
  labels: readonly string[],
  replace: Replacer,
  options: EngineStreamOptions = {},
): EngineStream {
  const findings: Finding[] = [];
  const { onFinding = (finding: Finding) => void findings.push(finding), leave, onReplaced, onLeft } = options;
  const lists = createRegions(leave, onLeft);
  const { hidden: regions, aside } = lists;
  const scanner = createReader(engine, lists);
  const reports = createFindingReports(labels, aside, onFinding);
  /** The received text that may be needed again, and the place of its first character. */
  let text = '';
  let base = 0;
  /** The received text that is not released yet, and its place. */
  let held = '';
  let given = 0;
  /** The received text that is not read yet, because it may be a marker or its end may decide a match, and its place. */
  let unread = '';
  let read = 0;
  let closed = false;
  /** The number of characters released before the current call. */
  let emitted = 0;
  /** All findings before this place are reported. */
  let reportedTo = 0;
  /** The maximum length of `text` before it is shortened. */
  let roomy = MOST_HISTORY;

  /** Reads marker by marker, as far as the text is final. */
  const advance = (more: string, final: boolean): void => {
    const chunk = unread === '' ? more : unread + more;
    const from = read;
    scanner.remember(text, base);
    for (let look = 0; ; ) {
      const found = chunk.indexOf(markerHead, look);
      const marker = found < 0 ? undefined : markerAt(chunk, found);
      const ours = typeof marker === 'object' && engine.labels.has(marker.label);
      if (found >= 0 && !ours && (marker !== 'begun' || final)) {
        look = found + 1;
        continue;
      }
      const head = found >= 0 ? found : final ? chunk.length : headBegun(chunk, look);
      read = scanner.scan(chunk, from, from + head, final || ours);
      if (!ours) break;
      look = head + marker.length;
      read = from + look;
      scanner.skip(read);
    }
    unread = read - from === chunk.length ? '' : chunk.slice(read - from);
  };

  const labelOf = (region: Region): string => labels[nameOf(region)] ?? UNFINISHED;

  /** Releases the text before `to`, with markers for secrets. */
  const give = (to: number, final: boolean): string => {
    if (regions.length === 0 && to === given + held.length && !(isHigh(held.charCodeAt(to - 1 - given)) && !final)) {
      const all = held;
      given = to;
      held = '';
      return all;
    }
    let out = '';
    let at = given;
    for (let region = regions[0]; region && (region.start < to || final); region = regions[0]) {
      if (region.start > at) {
        out += held.slice(at - given, region.start - given);
        at = region.start;
      }
      const whole = region.growing === 0 && region.end <= to;
      if (!whole && !region.fixed) return drop(at, out);
      if (!region.marked) {
        // If the marker did not wait for the end, only the beginning is known. It would represent all secrets with that beginning.
        out += region.fixed
          ? `${markerHead}${labelOf(region)}]`
          : replace(labelOf(region), held.slice(region.start - given, region.end - given));
        region.marked = true;
      }
      at = Math.max(at, whole ? region.end : to);
      if (!whole) return drop(at, out);
      regions.shift();
      reports.add(region);
      onReplaced?.({
        end: region.end,
        to: emitted + out.length,
        value:
          region.fixed || labels[nameOf(region)] === undefined
            ? undefined
            : held.slice(region.start - given, region.end - given),
        rule: labelOf(region),
        level: region.level,
      });
    }
    if (to <= at) return drop(at, out);
    const cut = !final && isHigh(held.charCodeAt(to - 1 - given)) ? to - 1 : to;
    return drop(cut, out + held.slice(at - given, cut - given));
  };

  const drop = (at: number, out: string): string => {
    held = held.slice(at - given);
    given = at;
    return out;
  };

  /** Discards text that is no longer needed, at intervals. */
  const forget = (): void => {
    if (text.length < roomy) return;
    const keep = Math.min(scanner.needed(), given, read);
    const parent = text.length;
    if (keep > base) {
      text = copy(text.slice(keep - base), parent);
      held = copy(held, parent);
      unread = copy(unread, parent);
      base = keep;
    }
    scanner.remember(text, base);
    roomy = Math.max(MOST_HISTORY, 2 * text.length);
  };

  const close = (): string => {
    const out = give(given + held.length, true);
    reports.reportUpTo(Infinity);
    reportedTo = Infinity;
    closed = true;
    text = held = unread = '';
    scanner.remember('', 0);
    return out;
  };

  const take = (more: string): string => {
    if (
      held === '' &&
      regions.length === 0 &&
      aside.length === 0 &&
      !isHigh(more.charCodeAt(more.length - 1)) &&
      scanner.glide(unread, more)
    ) {
      text += more;
      given += more.length;
      read = given - 1;
      unread = more.charAt(more.length - 1);
      reportedTo = read;
      forget();
      emitted += more.length;
      return more;
    }
    text += more;
    held += more;
    advance(more, false);
    const frontier = scanner.frontier();
    const out = give(frontier, false);
    const settled = Math.min(frontier, regions[0]?.start ?? Infinity);
    reports.reportUpTo(settled);
    reportedTo = Math.min(settled, aside[0]?.start ?? Infinity);
    forget();
    emitted += out.length;
    return out;
  };

  return {
    reportedTo: () => reportedTo,
    findings,
    write(more) {
      if (closed || more === '') return '';
      if (more.length <= PIECE) return take(more);
      let out = '';
      for (let from = 0; from < more.length; from += PIECE) out += take(more.slice(from, from + PIECE));
      return out;
    },
    end() {
      if (closed) return '';
      advance('', true);
      scanner.finish();
      return close();
    },
    abort() {
      if (closed) return '';
      advance('', true);
      const end = given + held.length;
      const start = Math.max(scanner.frontier(), given);
      scanner.finish();
      if (start < end) addRegion(regions, newRegion(text, base, start, end, labels.length, 0));
      const out = close();
      // Half of a pair cannot be shown.
      return isHigh(out.charCodeAt(out.length - 1)) ? out.slice(0, -1) : out;
    },
  };
}

const MOST_HISTORY = 1024;

/** The number of characters read at a time: the final part of a large chunk is released before its end. */
const PIECE = 16_384;

/** A slice keeps the whole parent in memory; the copy keeps only the slice. */
function copy(slice: string, parent: number): string {
  return parent > 65_536 ? slice.split('').join('') : slice;
}
