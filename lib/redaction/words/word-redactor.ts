import type { Finding, RedactionStream, Redactor, StreamOptions } from '../redactor.ts';
import { isHigh } from '../scan/surrogates.ts';
import { createWordAutomaton, SLOW, type WordAutomaton } from './word-automaton.ts';
import { mayEndBetween } from './word-edges.ts';

/** What becomes of the words in a stream. */
export interface WordShow {
  /** What findings call them. */
  readonly label: string;
  /** Whether words end where letters do, in scripts that have spaces between them. */
  readonly whole: boolean;
  /** What takes the place of a word. */
  replace(word: string): string;
}

/** A longer run of white space is in no phrase, so that what is held back stays short. */
const LONGEST_SPACE = 64;

/** A word that stands from one place to another. */
interface Place {
  start: number;
  end: number;
}

/** A stream in which words are found. What may still become one is held back, up to the character behind it. */
export function wordStream(automaton: WordAutomaton, show: WordShow, options: StreamOptions = {}): RedactionStream {
  const { goto, columns, columnsOf, space, findsFrom, held: heldIn, lengths } = automaton;
  const findings: Finding[] = [];
  const { onFinding = (finding: Finding) => void findings.push(finding) } = options;
  /** What has come and has not been given; its place, and the last character before it that can be seen. */
  let text = '';
  let base = 0;
  let before: number | undefined;
  /** How much white space stands right before it, and before where it is read. */
  let spacesBefore = 0;
  let spaces = 0;
  /** Up to where it has been read, and the state there. */
  let read = 0;
  let state = 0;
  /** Words that are complete; whether they end here, the next character says. */
  let waiting: Place[] = [];
  const places: Place[] = [];
  let closed = false;

  /** The place of the character before `place`. */
  const stepBack = (place: number): number => {
    const low = (text.charCodeAt(place - 1 - base) & 0xfc00) === 0xdc00;
    return low && place - 2 >= base && isHigh(text.charCodeAt(place - 2 - base)) ? place - 2 : place - 1;
  };
  const characterAt = (place: number): number => text.codePointAt(place - base) as number;
  /** How many symbols the character at `place` is by itself. */
  const ownAt = (place: number): number =>
    columns[text.charCodeAt(place - base)] === SLOW ? columnsOf(characterAt(place)).length : 1;
  const isSpaceAt = (place: number): boolean => columns[text.charCodeAt(place - base)] === space;

  /** How much white space stands right before `place`, up to what a phrase may have. */
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
  /** Of a run of white space the first character stands for all. */
  const goesOn = (count: number): boolean => count > 0 && count < LONGEST_SPACE;
  /** How many symbols the character at `place` is where it stands. */
  const symbolsAt = (place: number): number => (isSpaceAt(place) && goesOn(spacesUpTo(place)) ? 0 : ownAt(place));

  /** The last character before `place` that can be seen. */
  const lastBefore = (place: number): number | undefined => {
    for (let at = place; at > base; ) {
      at = stepBack(at);
      if (ownAt(at) > 0) return characterAt(at);
    }
    return before;
  };

  /** Where the characters begin that are the last `symbols` ones before `end`; nothing if one of them begins before. */
  const startOf = (symbols: number, end: number): number | undefined => {
    let left = symbols;
    let place = end;
    while (left > 0 && place > base) {
      place = stepBack(place);
      left -= symbolsAt(place);
    }
    return left === 0 ? place : undefined;
  };

  /** Words end in front of `end`. */
  const land = (end: number): void => {
    for (const length of lengths(state)) {
      const start = startOf(length, end);
      if (start === undefined) continue;
      if (mayEndBetween(lastBefore(start), characterAt(start), show.whole)) waiting.push({ start, end });
    }
  };

  /** The words that were waiting for the character that follows them. */
  const settle = (next: number | undefined): void => {
    for (const place of waiting) if (mayEndBetween(lastBefore(place.end), next, show.whole)) add(place);
    waiting = [];
  };

  /** Words that overlap are one. */
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
        state = goto[state + column] as number;
        at++;
        if (state >= findsFrom) land(base + at);
        continue;
      }
      // The other half is still to come.
      if (isHigh(unit) && at + 1 === size && !closed) break;
      const character = text.codePointAt(at) as number;
      const own = columnsOf(character);
      at += character > 0xffff ? 2 : 1;
      // What cannot be seen ends no word, and begins none.
      if (own.length === 0) continue;
      if (waiting.length > 0) settle(character);
      if (own.length !== 1 || own[0] !== space) spaces = 0;
      else if (goesOn(spaces++)) continue;
      for (const one of own) state = goto[state + one] as number;
      if (state >= findsFrom) land(base + at);
    }
    read = base + at;
  };

  /** The first place that may belong to a word. */
  const frontier = (): number => {
    let first = read;
    let left = heldIn(state);
    while (left > 0 && first > base) {
      first = stepBack(first);
      left -= symbolsAt(first);
    }
    return waiting.reduce((least, { start }) => Math.min(least, start), first);
  };

  /** Gives out what stands before `to`, with its words replaced. */
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
    // What is cut off is no word as far as it goes.
    abort: close,
  };
}

/** How words are found and shown. */
export interface WordRedactorOptions extends WordShow {
  /** Case, width and what cannot be seen make no difference. A space stands for any white space, up to 64 characters of it. */
  readonly words: readonly string[];
}

/** Takes words out of text, whole or as it comes, in time that hardly depends on how many words there are. */
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
