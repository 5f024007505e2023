import { HooklineError } from '../../errors.ts';
import { parseLine } from '../../store/lines/json-line.ts';
import type { Line } from '../../store/lines/line-cutter.ts';
import type { AuditBreach, AuditPlace, AuditVerdict } from './audit-verdict.ts';
import { type ChainedLine, hashOf, keyIdOf, readChainedLine } from './chain-line.ts';
import { type ChainWindow, createChainWindow, WINDOW } from './chain-window.ts';
import { createRecent } from './recent.ts';

/** Checks the lines of one audit in order, file by file. */
export interface ChainCheck {
  begin(file: string): void;
  line(line: Line): void;
  end(): void;
  verdict(): Omit<AuditVerdict, 'last'> & { readonly last: AuditVerdict['last'] | undefined };
}

const MOST_BREACHES = 100;
const MOVED = 'does not follow the previous line: a line was removed, inserted or moved here';
const FOREIGN = 'was not written by the chain';

export function createChainCheck(key: string | undefined, expected: string | undefined): ChainCheck {
  const breaches: AuditBreach[] = [];
  const torn: AuditPlace[] = [];
  // Larger than the window, because a duplicated line refers to a place before its first occurrence.
  const seen = createRecent<string, true>(3 * WINDOW);
  let breachCount = 0;
  let lines = 0;
  let unchained = 0;
  let goesOnFrom: string | undefined;
  let last: AuditVerdict['last'] | undefined;
  let found = false;
  let file = '';
  let window: ChainWindow | undefined;
  let before: ChainWindow | undefined;
  /** Whether the file had a line of the chain, and whether it had no complete line. */
  let chained = false;
  let empty = true;
  /** After a breach, the next line does not prove another one. */
  let doubtful = false;
  let unreadable: Pick<Line, 'number' | 'end'>[] = [];

  function breach(line: number, issue: string): void {
    breachCount += 1;
    if (breaches.length < MOST_BREACHES) breaches.push({ file, line, issue });
    doubtful = true;
  }

  function checkKey({ keyId }: ChainedLine, number: number): void {
    if (keyId === undefined || lines > 0) return;
    if (key !== undefined && keyId === keyIdOf(key)) return;
    const what =
      key === undefined ? 'with a key, which is required to verify it' : 'with another key than the one given';
    throw new HooklineError('INPUT_INVALID', `The chain in "${file}", line ${number}, was written ${what}.`);
  }

  function checkLink({ link, at }: ChainedLine, number: number): void {
    if (link && !before) goesOnFrom ??= lines === 0 ? link.prev : undefined;
    if (before && (link ? !before.holds(link) : !chained || at === 0)) {
      breach(number, 'does not continue the previous file: lines or a whole file were removed or changed');
    }
  }

  function settleUnreadable(place: number | undefined): void {
    for (const { number, end } of unreadable) {
      if (place !== undefined && end <= place) torn.push({ file, line: number });
      else breach(number, FOREIGN);
    }
    unreadable = [];
  }

  function checkPlace(line: ChainedLine, { number, start }: Line, lineWindow: ChainWindow): void {
    const place = lineWindow.placeOf(line);
    if (place <= start && lineWindow.holds(line)) {
      // Lines that it does not cover wait for a line that does.
      if (unreadable.every(({ end }) => end <= place)) settleUnreadable(place);
      if (place === start) doubtful = false;
      return;
    }
    settleUnreadable(undefined);
    if (!doubtful) breach(number, MOVED);
    lineWindow.trust(line, start);
    doubtful = false;
  }

  function checkChained(line: ChainedLine, at: Line, lineWindow: ChainWindow): void {
    checkKey(line, at.number);
    // A new string: a slice of the line would keep the whole line in memory.
    const hash = hashOf(line.signed, key);
    if (key !== undefined && line.keyId === undefined) breach(at.number, 'was written without the key');
    else if (hash !== line.hash) breach(at.number, 'was edited: its hash does not match');
    else if (seen.get(hash)) breach(at.number, 'is there twice');
    else {
      checkPlace(line, at, lineWindow);
      checkLink(line, at.number);
    }
    seen.set(hash, true);
    if (line.hash === expected) found = true;
    chained = true;
    lines += 1;
    last = { file, line: at.number, hash: line.hash };
  }

  return {
    begin(next) {
      file = next;
      window = createChainWindow();
      chained = false;
      empty = true;
      doubtful = false;
    },
    line(line) {
      if (!window) throw new Error('begin comes first');
      const { bytes, number } = line;
      if (!line.whole) {
        torn.push({ file, line: number });
        return;
      }
      empty = false;
      const read = readChainedLine(bytes);
      if (read === 'newer') {
        const where = `"${file}", line ${number},`;
        throw new HooklineError(
          'INPUT_INVALID',
          `${where} has a newer format. Use the Hookline version that wrote it.`,
        );
      }
      if (read) checkChained(read, line, window);
      else if (bytes.length > 0) {
        if (lines === 0) unchained += 1;
        else if (parseLine(line, () => undefined) !== undefined) breach(number, FOREIGN);
        // Without its bytes, so that memory use is constant.
        else unreadable.push({ number, end: line.end });
      }
      window.add(bytes, line.end);
    },
    end() {
      settleUnreadable(undefined);
      if (!empty) before = window;
    },
    verdict() {
      const whole = breachCount === 0 && (expected === undefined || found);
      return { whole, lines, unchained, torn, breaches, breachCount, goesOnFrom, last };
    },
  };
}
