import type { Finding, RedactionStream, Redactor, StreamOptions } from '../../redaction/redactor.ts';
import {
  holdsArguments,
  holdsValue,
  namesOther,
  namesProgram,
  singularOf,
} from '../scanning/structure/member-names.ts';
import { memberStream, streamBehind } from './member-stream.ts';

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const MAX_KEY = 256;
/** What no word looks like. */
const PROBE = 'k3j9X2m8Q5w7z1v4';
/** What is kept of the items of a list. */
const MAX_LINE = 160;

/** An object or a list that has not ended. */
interface Frame {
  readonly kind: '{' | '[';
  /** What it is called. */
  readonly name: string | undefined;
  /** What a member in it has named. */
  named?: string;
  /** What a member in it says is run. */
  program?: string;
  /** Whether every other item names the next, and the one that does. */
  readonly pairs: boolean;
  last?: string | undefined;
  /** The items so far. */
  line: string;
}

/**
 * A scanner for JSON that comes as text, cut anywhere: each string is looked at as what it says, not as it is escaped, and by itself. The model's
 * arguments come like this. Text that turns out to be no JSON is looked at as it is.
 */
export function jsonTextStream(redactor: Redactor, options: StreamOptions = {}): RedactionStream {
  const findings: Finding[] = [];
  const { onFinding = (finding: Finding) => void findings.push(finding), ...how } = options;
  const open: Frame[] = [];
  /** What looks at the string, or at the bare word, that is just coming. */
  let stream: RedactionStream | undefined;
  let inString = false;
  let escaped = '';
  let awaitsKey = false;
  let isKey = false;
  let key: string | undefined;
  let spelt = '';

  /** A scanner for the next string: behind the key that it stands under, or behind the items before it. */
  function begin(named: boolean): RedactionStream {
    const options = { ...how, onFinding };
    const frame = open.at(-1);
    if (!named) stream = redactor.stream(options);
    else if (frame?.pairs && frame.last !== undefined) stream = memberStream(redactor, frame.last, options);
    else if (frame?.line && !isTelling(frame.name)) stream = streamBehind(redactor, frame.line, '', options);
    else stream = memberStream(redactor, frame?.kind === '[' ? frame.name : nameOf(frame, key), options);
    return stream;
  }

  /** Whether a list is called what secrets are called: then each of its items may be one. */
  function isTelling(name: string | undefined): boolean {
    return name !== undefined && redactor.redact(`${JSON.stringify(name)}: "${PROBE}"`).findings.length > 0;
  }

  /** Keeps what the strings behind this one may be explained by. */
  function note(): void {
    const frame = open.at(-1);
    if (frame?.kind === '[') {
      frame.line = `${frame.line}${spelt} `.slice(-MAX_LINE);
      frame.last = frame.last === undefined ? spelt : undefined;
    } else if (frame && key !== undefined) {
      if (namesOther(key)) frame.named = spelt;
      if (namesProgram(key)) frame.program = spelt;
    }
  }

  function finish(how: 'end' | 'abort' = 'end'): string {
    const rest = stream ? stream[how]() : '';
    stream = undefined;
    return inString ? written(rest) : rest;
  }

  function say(text: string): string {
    if (spelt.length < MAX_KEY) spelt += text;
    return written(stream?.write(text) ?? '');
  }

  function withinString(character: string): string {
    if (escaped !== '') {
      escaped += character;
      if (escaped[1] === 'u' && escaped.length < 6) return '';
      const decoded = decode(escaped);
      escaped = '';
      return say(decoded);
    }
    if (character === '\\') {
      escaped = character;
      return '';
    }
    const rest = finish();
    inString = false;
    if (!isKey) note();
    key = isKey ? spelt : undefined;
    return `${rest}"`;
  }

  function outside(character: string): string {
    if (!/[\s{}[\]:,"]/.test(character)) return (stream ?? begin(true)).write(character);
    const rest = finish();
    if (character === '{' || character === '[') open.push(frameIn(open.at(-1), key, character));
    if (character === '}' || character === ']') open.pop();
    if (character === '{' || character === '[' || character === ',') {
      awaitsKey = open.at(-1)?.kind === '{';
      key = undefined;
    }
    if (character === ':') awaitsKey = false;
    if (character !== '"') return rest + character;
    inString = true;
    isKey = awaitsKey;
    spelt = '';
    begin(!isKey);
    return `${rest}"`;
  }

  function leave(how: 'end' | 'abort'): string {
    // Half an escape says nothing yet.
    escaped = '';
    return finish(how);
  }

  return {
    write(text) {
      let out = '';
      for (let at = 0; at < text.length; ) {
        const plain = inString && escaped === '' ? plainUpTo(text, at) : at;
        if (plain > at) out += say(text.slice(at, plain));
        else out += inString ? withinString(text[at] as string) : outside(text[at] as string);
        at = Math.max(plain, at + 1);
      }
      return out;
    },
    end: () => leave('end'),
    abort: () => leave('abort'),
    findings,
  };
}

function frameIn(parent: Frame | undefined, key: string | undefined, kind: '{' | '['): Frame {
  const name = parent?.kind === '[' ? parent.name : nameOf(parent, key);
  const pairs = kind === '[' && (parent?.kind === '[' || /headers?$/i.test(key ?? ''));
  const line = kind === '[' && parent?.program && key !== undefined && holdsArguments(key) ? `${parent.program} ` : '';
  return {
    kind,
    name: kind === '[' && name !== undefined ? singularOf(name) : name,
    line: line.slice(-MAX_LINE),
    pairs,
  };
}

/** What a member is called: by its key, or, where that says nothing, by its sibling or by what it stands in. */
function nameOf(frame: Frame | undefined, key: string | undefined): string | undefined {
  return key !== undefined && holdsValue(key) ? (frame?.named ?? frame?.name ?? key) : key;
}

/** Where the characters of a string that stand for themselves end. */
function plainUpTo(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '"' && text[at] !== '\\') at += 1;
  return at;
}

function decode(escaped: string): string {
  const code = escaped[1] as string;
  if (code === 'u') return String.fromCharCode(Number.parseInt(escaped.slice(2), 16) || 0);
  return ESCAPES[code] ?? code;
}

const written = (text: string) => JSON.stringify(text).slice(1, -1);
