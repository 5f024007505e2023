import type { Engine } from './engine.ts';
import { headBegun, markerAt, markerHead } from './marker.ts';
import type { Finding, RedactionStream } from './redactor.ts';
import { addRegion, type Region } from './regions.ts';
import type { Replacer } from './replacer.ts';
import { createScanner } from './scanner.ts';

/** What the marker says of text of which it is not known whether it is secret, because the stream was cut. */
export const UNFINISHED = 'unfinished';

/** A stream through an engine. After `end` or `abort` it takes and gives nothing more. */
export function redactionStream(engine: Engine, labels: readonly string[], replace: Replacer): RedactionStream {
  const scanner = createScanner(engine);
  const { regions } = scanner;
  const findings: Finding[] = [];
  let text = '';
  /** The place of the first character of `text`; the first that has not been given out; the first that has not been read. */
  let base = 0;
  let given = 0;
  let read = 0;
  let closed = false;

  /** Reads on, marker by marker, as far as can be known. */
  const advance = (final: boolean): void => {
    const end = base + text.length;
    while (read < end) {
      const found = text.indexOf(markerHead, read - base);
      const head = found >= 0 ? found : final ? text.length : headBegun(text, read - base);
      scanner.scan(text, base, base + head);
      read = base + head;
      if (found < 0) return;
      const marker = markerAt(text, head);
      if (marker === 'begun' && !final) return;
      if (typeof marker === 'object' && engine.labels.has(marker.label)) {
        read += marker.length;
        scanner.skip(text, base, read);
      } else {
        scanner.scan(text, base, ++read);
      }
    }
  };

  const labelOf = ({ order }: Region): string => labels[order] ?? UNFINISHED;

  /** Gives out what stands before `to`, with markers for what is secret. */
  const give = (to: number, final: boolean): string => {
    let out = '';
    for (let region = regions[0]; region; region = regions[0]) {
      if (region.start >= to && !final) break;
      out += text.slice(given - base, Math.max(region.start, given) - base);
      given = Math.max(region.start, given);
      const whole = region.growing === 0 && region.end <= to;
      if (!whole && !region.fixed) return out;
      if (!region.marked) {
        out += replace(labelOf(region), region.value ?? text.slice(region.start - base, region.end - base));
        region.marked = true;
      }
      if (!whole) {
        given = Math.max(given, to);
        return out;
      }
      given = Math.max(given, region.end);
      regions.shift();
      const rule = labels[region.order];
      if (rule !== undefined) findings.push({ rule, start: region.start, end: region.end });
    }
    if (!final && to > given && isHigh(text.charCodeAt(to - 1 - base))) to--;
    if (to > given) {
      out += text.slice(given - base, to - base);
      given = to;
    }
    return out;
  };

  /** Lets go of what is not needed any more. */
  const forget = (): void => {
    const keep = Math.min(given, scanner.needed(), read);
    if (keep <= base) return;
    const parent = text.length;
    text = text.slice(keep - base);
    base = keep;
    // A slice keeps the whole of what it was cut from.
    if (parent > 65_536) text = text.split('').join('');
  };

  const close = (): string => {
    const out = give(base + text.length, true);
    closed = true;
    text = '';
    return out;
  };

  return {
    findings,
    write(more) {
      if (closed || more === '') return '';
      text += more;
      advance(false);
      const out = give(scanner.frontier(), false);
      forget();
      return out;
    },
    end() {
      if (closed) return '';
      advance(true);
      scanner.finish(text, base);
      return close();
    },
    abort() {
      if (closed) return '';
      advance(true);
      const end = base + text.length;
      const start = Math.max(scanner.frontier(), given);
      scanner.finish(text, base);
      if (start < end) {
        addRegion(regions, {
          start,
          end,
          order: labels.length,
          growing: 0,
          fixed: false,
          marked: false,
          value: undefined,
        });
      }
      return close();
    },
  };
}

function isHigh(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}
