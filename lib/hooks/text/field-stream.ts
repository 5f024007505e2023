import type { Redacted, RedactionStream, Redactor, StreamOptions } from '../../redaction/redactor.ts';

/**
 * Creates a scanner for one JSON string. Some rules need a name before the secret, so the string's `key` is inserted before the text and removed from
 * the output. The positions of findings include it.
 */
export function fieldStream(redactor: Redactor, key: string | undefined, options: StreamOptions = {}): RedactionStream {
  return key === undefined ? redactor.stream(options) : streamBehind(redactor, nameBefore(key), QUOTE, options);
}

/** Redacts one JSON string as `fieldStream` does, in one pass instead of four. */
export function redactField(
  redactor: Redactor,
  key: string | undefined,
  text: string,
  options: StreamOptions = {},
): Redacted {
  const before = key === undefined ? '' : nameBefore(key);
  if (before === '' || redactor.redact(before).findings.length > 0) return redactor.redact(text, options);
  const { text: out, findings } = redactor.redact(`${before}${text}${QUOTE}`, options);
  const shown = out.slice(equalCharacters(out, before));
  return { text: shown.endsWith(QUOTE) ? shown.slice(0, -QUOTE.length) : shown, findings };
}

const QUOTE = '"';
const nameBefore = (key: string): string => `${JSON.stringify(key)}: "`;

/** Returns the number of equal characters at the beginning of both texts. */
function equalCharacters(one: string, other: string): number {
  let same = 0;
  while (same < one.length && same < other.length && one[same] === other[same]) same += 1;
  return same;
}

/** The same with any text before it; `behind` is the text around the string, at its end. */
export function streamBehind(
  redactor: Redactor,
  before: string,
  behind: string,
  options: StreamOptions,
): RedactionStream {
  const stream = redactor.stream(options);
  let ahead = before;
  if (ahead === '' || redactor.redact(ahead).findings.length > 0) return stream;
  let early = strip(stream.write(ahead));

  /** Removes the rest of the inserted text. If a secret includes it, the marker remains. */
  function strip(out: string): string {
    const same = equalCharacters(out, ahead);
    ahead = same < out.length ? '' : ahead.slice(same);
    return out.slice(same);
  }

  function take(out: string): string {
    const text = early + strip(out);
    early = '';
    return text;
  }

  return {
    write: (text) => take(stream.write(text)),
    end() {
      const rest = take(stream.write(behind) + stream.end());
      return behind !== '' && rest.endsWith(behind) ? rest.slice(0, -behind.length) : rest;
    },
    abort: () => take(stream.abort()),
    get findings() {
      return stream.findings;
    },
  };
}
