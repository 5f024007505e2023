import { HooklineError } from '../../errors.ts';
import type { AuditBreach, AuditPlace, AuditVerdict } from './audit-verdict.ts';
import { type ChainedLine, hashOf, keyIdOf, readChainedLine } from './chain-line.ts';
import { type ChainWindow, createChainWindow, WINDOW } from './chain-window.ts';
import type { FileLine } from './file-lines.ts';
import { createRecent } from './recent.ts';

/** Checks the lines of one audit in order, file by file. */
export interface ChainCheck {
  begin(file: string): void;
  line(line: FileLine): void;
  end(): void;
  verdict(): Omit<AuditVerdict, 'last'> & { readonly last: AuditVerdict['last'] | undefined };
}

const TOLD = 100;
const MOVED = 'does not follow what stands before it: a line was removed, put in or moved here';
const FOREIGN = 'was not written by the chain';

export function createChainCheck(key: string | undefined, expected: string | undefined): ChainCheck {
  const breaches: AuditBreach[] = [];
  const torn: AuditPlace[] = [];
  // More than the window has: a line that comes twice refers to a place before its first time.
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
  /** Whether the file had a line of the chain, and a whole line at all. */
  let chained = false;
  let empty = true;
  /** After a breach the next line is no witness of another. */
  let doubtful = false;
  let unreadable: FileLine[] = [];

  function breach(line: number, fault: string): void {
    breachCount += 1;
    if (breaches.length < TOLD) breaches.push({ file, line, fault });
    doubtful = true;
  }

  function checkKey({ keyId }: ChainedLine, number: number): void {
    if (keyId === undefined || lines > 0) return;
    if (key !== undefined && keyId === keyIdOf(key)) return;
    const what = key === undefined ? 'with a key, which is needed to verify it' : 'with another key than the one given';
    throw new HooklineError('INPUT_INVALID', `The chain in "${file}", line ${number}, was made ${what}.`);
  }

  function checkLink({ link, at }: ChainedLine, number: number): void {
    if (link && !before) goesOnFrom ??= lines === 0 ? link.prev : undefined;
    if (before && (link ? !before.holds(link) : !chained || at === 0)) {
      breach(
        number,
        'does not go on where the file before ends: lines, or a whole file, were removed or changed there',
      );
    }
  }

  function settleUnreadable(place: number | undefined): void {
    for (const { number, end } of unreadable) {
      if (place !== undefined && end <= place) torn.push({ file, line: number });
      else breach(number, FOREIGN);
    }
    unreadable = [];
  }

  function checkPlace(line: ChainedLine, { number, start }: FileLine, lineWindow: ChainWindow): void {
    const place = lineWindow.placeOf(line);
    if (place <= start && lineWindow.holds(line)) {
      // Those that it does not cover wait for one that does.
      if (unreadable.every(({ end }) => end <= place)) settleUnreadable(place);
      if (place === start) doubtful = false;
      return;
    }
    settleUnreadable(undefined);
    if (!doubtful) breach(number, MOVED);
    lineWindow.believe(line, start);
    doubtful = false;
  }

  function checkChained(line: ChainedLine, at: FileLine, lineWindow: ChainWindow): void {
    checkKey(line, at.number);
    // The hash as read would keep the end of its line in memory.
    const hash = hashOf(line.signed, key);
    if (key !== undefined && line.keyId === undefined) breach(at.number, 'was made without the key');
    else if (hash !== line.hash) breach(at.number, 'was edited: its hash is that of another line');
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
        throw new HooklineError('INPUT_INVALID', `${where} is of a newer format. Use the Hookline that wrote it.`);
      }
      if (read) checkChained(read, line, window);
      else if (bytes.length > 0) {
        if (lines === 0) unchained += 1;
        else if (isJson(bytes)) breach(number, FOREIGN);
        else unreadable.push(line);
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

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString());
    return true;
  } catch {
    return false;
  }
}
