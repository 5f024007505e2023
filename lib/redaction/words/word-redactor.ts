import type { Finding, RedactionStream, Redactor, StreamOptions } from '../redactor.ts';
import { isHigh } from '../scan/surrogates.ts';
import { createWordAutomaton, SLOW, type WordAutomaton } from './word-automaton.ts';
import { mayEndBetween } from './word-edges.ts';

/** The treatment of words in a stream. */
export interface WordShow {
  /** The label in findings. */
  readonly label: string;
  /** Whether words end where letters end, in scripts with spaces between words. */
  readonly whole: boolean;
  /** Returns the replacement of a word. */
  replace(word: string): string;
}

/** No phrase contains a longer run of white space, so that little text is held back. */
const LONGEST_SPACE = 64;

/** The beginning and end of a word. */
interface Place {
  start: number;
  end: number;
}

/** Creates a stream that finds words. A possible word is held back, up to the next character. */
function wordStream(automaton: WordAutomaton, show: WordShow, options: StreamOptions = {}): RedactionStream {
  const { next, columns, columnsOf, space, findsFrom, held: heldIn, lengths } = automaton;
  const findings: Finding[] = [];
  const { onFinding = (finding: Finding) => void findings.push(finding) } = options;
  /** The received text that is not released yet; its place, and the last visible character before it. */
  let text = '';
  let base = 0;
  let before: number | undefined;
  /** The length of the white space directly before it, and before the place of reading. */
  let spacesBefore = 0;
  let spaces = 0;
  /** The place to which it is read, and the state there. */
  let read = 0;
  let state = 0;
  /** Complete words; the next character decides whether they end here. */
  let waiting: Place[] = [];
  const places: Place[] = [];
  let closed = false;

  /** Returns the place of the character before `place`. */
  const stepBack = (place: number): number => {
    const low = (text.charCodeAt(place - 1 - base) & 0xfc00) === 0xdc00;
    return low && place - 2 >= base && isHigh(text.charCodeAt(place - 2 - base)) ? place - 2 : place - 1;
  };
  const characterAt = (place: number): number => text.codePointAt(place - base) as number;
  /** Returns the number of symbols of the character at `place` alone. */
  const ownAt = (place: number): number =>
    columns[text.charCodeAt(place - base)] === SLOW ? columnsOf(characterAt(place)).length : 1;
  const isSpaceAt = (place: number): boolean => columns[text.charCodeAt(place - base)] === space;

  /** Returns the length of the white space directly before `place`, up to the maximum of a phrase. */
  const spacesUpTo = (place: number): number => {
    let count = 0;
    for (let at = place; count < LONGEST_SPACE; ) {
      if (at <= base) return Math.min(LONGEST_SPACE, count + spacesBefore);
      at = stepBack(at);
      if (isSpaceAt(at)) count++;
      else if (ownAt(at) > 0) break;
    }
    return count;
  };
  /** In a run of white space, the first character stands for all. */
  const goesOn = (count: number): boolean => count > 0 && count < LONGEST_SPACE;
  /** Returns the number of symbols of the character at `place` in its context. */
  const symbolsAt = (place: number): number => (isSpaceAt(place) && goesOn(spacesUpTo(place)) ? 0 : ownAt(place));

  /** Returns the last visible character before `place`. */
  const lastBefore = (place: number): number | undefined => {
    for (let at = place; at > base; ) {
      at = stepBack(at);
      if (ownAt(at) > 0) return characterAt(at);
    }
    return before;
  };

  /** Returns the place at which the last `symbols` symbols before `end` begin; `undefined` if they begin within a character or earlier. */
  const startOf = (symbols: number, end: number): number | undefined => {
    let left = symbols;
    let place = end;
    while (left > 0 && place > base) {
      place = stepBack(place);
      left -= symbolsAt(place);
    }
    return left === 0 ? place : undefined;
  };

  /** Handles the words that end before `end`. */
  const land = (end: number): void => {
    for (const length of lengths(state)) {
      const start = startOf(length, end);
      if (start === undefined) continue;
      if (mayEndBetween(lastBefore(start), characterAt(start), show.whole)) waiting.push({ start, end });
    }
  };

  /** Decides the words that were waiting for the next character. */
  const settle = (next: number | undefined): void => {
    for (const place of waiting) if (mayEndBetween(lastBefore(place.end), next, show.whole)) add(place);
    waiting = [];
  };

  /** Overlapping words are united. */
  const add = ({ start, end }: Place): void => {
    const last = places.at(-1);
    if (!last || last.end <= start) return void places.push({ start, end });
    last.start = Math.min(last.start, start);
    last.end = Math.max(last.end, end);
    const previous = places.at(-2);
    if (!previous || previous.end <= last.start) return;
    places.pop();
    add(last);
  };

  const run = (): void => {
    const size = text.length;
    let at = read - base;
    while (at < size) {
      const unit = text.charCodeAt(at);
      const column = columns[unit] as number;
      if (column !== SLOW && waiting.length === 0) {
        if (column !== space) spaces = 0;
        else if (goesOn(spaces++)) {
          at++;
          continue;
        }
        state = next(state, column);
        at++;
        if (state >= findsFrom) land(base + at);
        continue;
      }
      // The other half has not arrived yet.
      if (isHigh(unit) && at + 1 === size && !closed) break;
      const character = text.codePointAt(at) as number;
      const own = columnsOf(character);
      at += character > 0xffff ? 2 : 1;
      // An invisible character neither ends nor begins a word.
      if (own.length === 0) continue;
      if (waiting.length > 0) settle(character);
      if (own.length !== 1 || own[0] !== space) spaces = 0;
      else if (goesOn(spaces++)) continue;
      for (const one of own) state = next(state, one);
      if (state >= findsFrom) land(base + at);
    }
    read = base + at;
  };

  /** Returns the first place that may belong to a word. */
  const frontier = (): number => {
    let first = read;
    let left = heldIn(state);
    while (left > 0 && first > base) {
      first = stepBack(first);
      left -= symbolsAt(first);
    }
    return waiting.reduce((least, { start }) => Math.min(least, start), first);
  };

  /** Releases the text before `to`, with its words replaced. */
  const give = (to: number): string => {
    let out = '';
    let at = base;
    while (places[0] && places[0].end <= to) {
      const { start, end } = places.shift() as Place;
      out += text.slice(at - base, start - base) + show.replace(text.slice(start - base, end - base));
      onFinding({ rule: show.label, confidence: 'format', start, end });
      at = end;
    }
    const end = Math.max(at, Math.min(to, places[0]?.start ?? to));
    out += text.slice(at - base, end - base);
    [before, spacesBefore] = [lastBefore(end), spacesUpTo(end)];
    text = text.slice(end - base);
    base = end;
    return out;
  };

  const close = (): string => {
    if (closed) return '';
    closed = true;
    run();
    settle(undefined);
    return give(base + text.length);
  };

  return {
    findings,
    write(more) {
      if (closed || more === '') return '';
      text += more;
      run();
      return give(frontier());
    },
    end: close,
    // A truncated word is not a word.
    abort: close,
  };
}

/** The matching and display of words. */
export interface WordRedactorOptions extends WordShow {
  /** Matching ignores case, width and invisible characters. A space matches any white space of up to 64 characters. */
  readonly words: readonly string[];
}

/** Creates a redactor of words, for a text or a stream. Its time hardly depends on the number of words. */
export function createWordRedactor({ words, ...show }: WordRedactorOptions): Redactor {
  const automaton = createWordAutomaton(words);
  return {
    redact(text) {
      const stream = wordStream(automaton, show);
      return { text: stream.write(text) + stream.end(), findings: stream.findings };
    },
    stream: (options) => wordStream(automaton, show, options),
  };
}
