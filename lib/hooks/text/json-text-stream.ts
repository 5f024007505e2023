import type { Finding, RedactionStream, Redactor, StreamOptions } from '../../redaction/redactor.ts';
import { memberStream } from './member-stream.ts';

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const MAX_KEY = 256;

/**
 * A scanner for JSON that comes as text, cut anywhere: each string is looked at as what it says, not as it is escaped, and by itself. The model's
 * arguments come like this. Text that turns out to be no JSON is looked at as it is.
 */
export function jsonTextStream(redactor: Redactor, options: StreamOptions = {}): RedactionStream {
  const findings: Finding[] = [];
  const { onFinding = (finding: Finding) => void findings.push(finding), ...how } = options;
  const open: string[] = [];
  /** What looks at the string, or at the bare word, that is just coming. */
  let stream: RedactionStream | undefined;
  let inString = false;
  let escaped = '';
  let awaitsKey = false;
  let isKey = false;
  let key: string | undefined;
  let spelt = '';

  function begin(member?: string): RedactionStream {
    stream = memberStream(redactor, member, { ...how, onFinding });
    return stream;
  }

  function finish(how: 'end' | 'abort' = 'end'): string {
    const rest = stream ? stream[how]() : '';
    stream = undefined;
    return inString ? written(rest) : rest;
  }

  function say(text: string): string {
    if (isKey && spelt.length < MAX_KEY) spelt += text;
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
    key = isKey ? spelt : undefined;
    return `${rest}"`;
  }

  function outside(character: string): string {
    if (!/[\s{}[\]:,"]/.test(character)) return (stream ?? begin(key)).write(character);
    const rest = finish();
    if (character === '{' || character === '[') open.push(character);
    if (character === '}' || character === ']') open.pop();
    if (character === '{' || character === '[' || character === ',') {
      awaitsKey = open.at(-1) === '{';
      key = undefined;
    }
    if (character === ':') awaitsKey = false;
    if (character !== '"') return rest + character;
    inString = true;
    isKey = awaitsKey;
    spelt = '';
    begin(isKey ? undefined : key);
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
