import type { RedactionStream, Redactor, StreamOptions } from '../../redaction/redactor.ts';

/**
 * A scanner for one JSON string. Rules that need a name before the secret get the `key` that the string stands under: it goes in ahead of the
 * text and is taken off what comes out. The positions of findings count from there.
 */
export function memberStream(
  redactor: Redactor,
  key: string | undefined,
  options: StreamOptions = {},
): RedactionStream {
  return key === undefined
    ? redactor.stream(options)
    : streamBehind(redactor, `${JSON.stringify(key)}: "`, '"', options);
}

/** The same behind any text; `behind` is what encloses the string at its end. */
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

  /** Takes off what is left of the text ahead; where a secret reaches into it, its marker stays. */
  function strip(out: string): string {
    let same = 0;
    while (same < ahead.length && out[same] === ahead[same]) same += 1;
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
