import type { Engine } from '../compile/engine.ts';
import { ESCAPE_LOOK_BACK, escapeAt } from '../escapes/escape-at.ts';
import { beginsUnseen, nextEscapeUnit } from '../escapes/escape-units.ts';
import { Kind } from '../pattern/alphabet.ts';
import { type DecodedView, decodedView } from './decoded-view.ts';
import type { History } from './history.ts';
import type { Regions } from './regions.ts';
import { createScanner, type Scanner } from './scanner.ts';

/** Scans a text as it arrives and, if it contains escapes, its decoded form. The findings of both count. */
export type Reader = Omit<Scanner, 'follows' | 'close' | 'fork' | 'end'> & {
  /** Ends the text. */
  finish(): void;
};

/** Creates a reader at the beginning of a stream; its findings go to the lists. */
export function createReader(engine: Engine, lists: Regions): Reader {
  const scanner = createScanner(engine, lists);
  const history: History = { text: '', base: 0, chunk: '', from: 0 };
  let view: DecodedView | undefined;
  /** Keywords that views have found. A later view may need them. */
  const known = new Uint8Array(engine.keywordCount);
  /** The place to which the text is searched for escapes. */
  let looked = 0;

  /** Returns the last `count` units before a place. */
  const before = (place: number, count: number): string => {
    const end = place - history.base;
    return history.text.slice(Math.max(0, end - count), end);
  };

  /** Decodes up to `to`, or to a possible incomplete escape; returns the place reached. */
  const decode = (chunk: string, from: number, to: number, final: boolean): number => {
    let at = Math.max(looked, from);
    for (;;) {
      at = from + nextEscapeUnit(chunk, at - from, to - from);
      const found = at < to ? escapeAt(chunk, at - from, final, (count) => before(at, count)) : undefined;
      if (at < to && found === undefined) {
        at++;
        continue;
      }
      view?.plain(chunk.slice(looked - from, at - from));
      looked = at;
      if (found === undefined || found === 'begun') return at;
      if (!view?.lives()) {
        scanner.scan(chunk, from, at, true);
        view?.settle(at);
        view = decodedView(scanner, history, at, lists, known);
      }
      view.escaped(found, at);
      looked = at += found.length;
    }
  };

  const end = (after: number): void => {
    view?.read(after);
    view?.settle(Infinity);
    view = undefined;
  };

  return {
    remember(text, base) {
      history.text = text;
      history.base = base;
      scanner.remember(text, base);
    },
    scan(chunk, from, to, final) {
      looked = Math.max(looked, from);
      const known = decode(chunk, from, to, final);
      const read = scanner.scan(chunk, from, known, final && known === to);
      if (view) {
        view.read();
        if (view.settle(read) && !view.lives()) view = undefined;
      }
      return read;
    },
    glide(unread, more) {
      if (view || (unread === '' && beginsUnseen(more)) || !scanner.glide(unread, more)) return false;
      looked += more.length;
      return true;
    },
    skip(to) {
      scanner.skip(to);
      end(Kind.marker);
      looked = to;
    },
    finish() {
      scanner.end(Kind.edge);
      end(Kind.edge);
    },
    frontier: () => Math.min(scanner.frontier(), view?.frontier() ?? Infinity),
    needed: () => Math.min(scanner.needed(), looked - ESCAPE_LOOK_BACK, view?.needed() ?? Infinity),
  };
}
