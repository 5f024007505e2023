import type { Finding, RedactionStream, Redactor, StreamOptions } from '../../redaction/redactor.ts';
import {
  describes,
  holdsArguments,
  holdsValue,
  namesOther,
  namesProgram,
  namesSecret,
  nameWithin,
  singularOf,
} from '../scanning/structure/field-names.ts';
import { fieldStream, streamBehind } from './field-stream.ts';

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const MAX_KEY = 256;
/** Unlike any word. */
const PROBE = 'k3j9X2m8Q5w7z1v4';
/** The maximum number of characters kept of the items of a list. */
const MAX_LINE = 160;

/** An open object or list. */
interface Frame {
  readonly kind: '{' | '[';
  readonly name: string | undefined;
  /** The name in one of its fields. */
  named?: string;
  /** The nearest enclosing name of a secret. */
  readonly secret: string | undefined;
  /** The program in one of its fields. */
  program?: string;
  /** Whether items alternate between names and values, and the last name. */
  readonly pairs: boolean;
  last?: string | undefined;
  /** The items so far. */
  line: string;
}

/**
 * Creates a scanner for streamed JSON text, such as the model's arguments, cut anywhere. Each string is scanned unescaped and separately. Text that
 * is not JSON is scanned as plain text.
 */
export function jsonTextStream(redactor: Redactor, options: StreamOptions = {}): RedactionStream {
  const findings: Finding[] = [];
  const { onFinding = (finding: Finding) => void findings.push(finding), ...how } = options;
  const open: Frame[] = [];
  /** The scanner of the current string or bare word. */
  let stream: RedactionStream | undefined;
  let inString = false;
  let escaped = '';
  let awaitsKey = false;
  let isKey = false;
  let key: string | undefined;
  let keyText = '';

  /** Creates a scanner for the next string, with its key or the previous items before it. */
  function begin(named: boolean): RedactionStream {
    const options = { ...how, onFinding };
    const frame = open.at(-1);
    if (!named) stream = redactor.stream(options);
    else if (frame?.pairs && frame.last !== undefined) stream = fieldStream(redactor, frame.last, options);
    else if (frame?.line && !isSpecific(frame.name)) stream = streamBehind(redactor, frame.line, '', options);
    else {
      const name = frame?.kind === '[' ? frame.name : nameOf(frame, key);
      const { secret } = frame ?? {};
      if (secret === undefined || describes(key ?? '') || isSpecific(name))
        stream = fieldStream(redactor, name, options);
      else stream = fieldStream(redactor, secret, withoutGuesses(options));
    }
    return stream;
  }

  /** Returns whether a list has the name of a secret. Then each item may be one. */
  function isSpecific(name: string | undefined): boolean {
    return name !== undefined && redactor.redact(`${JSON.stringify(name)}: "${PROBE}"`).findings.length > 0;
  }

  /** Keeps text that may explain later strings. */
  function note(): void {
    const frame = open.at(-1);
    if (frame?.kind === '[') {
      frame.line = `${frame.line}${keyText} `.slice(-MAX_LINE);
      frame.last = frame.last === undefined ? keyText : undefined;
    } else if (frame && key !== undefined) {
      if (namesOther(key)) frame.named = nameWithin(keyText);
      if (namesProgram(key)) frame.program = keyText;
    }
  }

  function finish(how: 'end' | 'abort' = 'end'): string {
    const rest = stream ? stream[how]() : '';
    stream = undefined;
    return inString ? written(rest) : rest;
  }

  function redactPlain(text: string): string {
    if (keyText.length < MAX_KEY) keyText += text;
    return written(stream?.write(text) ?? '');
  }

  function withinString(character: string): string {
    if (escaped !== '') {
      escaped += character;
      if (escaped[1] === 'u' && escaped.length < 6) return '';
      const decoded = decode(escaped);
      escaped = '';
      return redactPlain(decoded);
    }
    if (character === '\\') {
      escaped = character;
      return '';
    }
    const rest = finish();
    inString = false;
    if (!isKey) note();
    key = isKey ? keyText : undefined;
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
    keyText = '';
    begin(!isKey);
    return `${rest}"`;
  }

  function leave(how: 'end' | 'abort'): string {
    // Half an escape has no meaning yet.
    escaped = '';
    return finish(how);
  }

  return {
    write(text) {
      let out = '';
      for (let at = 0; at < text.length; ) {
        const plain = inString && escaped === '' ? plainUpTo(text, at) : at;
        if (plain > at) out += redactPlain(text.slice(at, plain));
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

/** A distant name explains only values that look like secrets. */
function withoutGuesses(options: StreamOptions): StreamOptions {
  const { leave = [], onFinding } = options;
  return {
    ...options,
    leave: [...leave, 'guessed'],
    onFinding: (finding) => void (finding.confidence !== 'guessed' && onFinding?.(finding)),
  };
}

function frameIn(parent: Frame | undefined, key: string | undefined, kind: '{' | '['): Frame {
  const name = parent?.kind === '[' ? parent.name : nameOf(parent, key);
  const pairs = kind === '[' && (parent?.kind === '[' || /headers?$/i.test(key ?? ''));
  const line = kind === '[' && parent?.program && key !== undefined && holdsArguments(key) ? `${parent.program} ` : '';
  return {
    kind,
    name: kind === '[' && name !== undefined ? singularOf(name) : name,
    secret: secretIn(parent, key),
    line: line.slice(-MAX_LINE),
    pairs,
  };
}

/** Returns the nearest name of a secret around a value. A field that describes something ends it. */
function secretIn(parent: Frame | undefined, key: string | undefined): string | undefined {
  if (key === undefined) return parent?.secret;
  if (namesSecret(key)) return singularOf(key);
  return describes(key) ? undefined : parent?.secret;
}

/** Returns the name of a field: its key or, for a generic key, the name from its sibling or its parent. */
function nameOf(frame: Frame | undefined, key: string | undefined): string | undefined {
  return key !== undefined && holdsValue(key) ? (frame?.named ?? frame?.name ?? key) : key;
}

/** Returns where the unescaped characters of a string end. */
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
