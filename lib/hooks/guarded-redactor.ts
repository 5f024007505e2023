import type { Finding, RedactionStream, Redactor, StreamOptions } from '../redaction/redactor.ts';
import { scanFailure } from './scan-failure.ts';

/**
 * The redactor, which throws nothing that could hold a secret: a vault or a redactor of the host's own may quote what it was given. Such a
 * redactor may keep a list although it was asked to tell; what is in it is told nevertheless.
 */
export function guardedRedactor(redactor: Redactor): Redactor {
  return {
    redact: (text) => guard(() => redactor.redact(text)),
    stream: (options) =>
      guardedStream(
        guard(() => redactor.stream(options)),
        options,
      ),
  };
}

function guardedStream(stream: RedactionStream, { onFinding }: StreamOptions = {}): RedactionStream {
  let told = 0;

  function ask(act: () => string): string {
    return guard(() => {
      const text = act();
      if (onFinding) for (; told < stream.findings.length; told += 1) onFinding(stream.findings[told] as Finding);
      return text;
    });
  }

  return {
    write: (text) => ask(() => stream.write(text)),
    end: () => ask(() => stream.end()),
    abort: () => ask(() => stream.abort()),
    get findings() {
      return guard(() => stream.findings);
    },
  };
}

function guard<T>(ask: () => T): T {
  try {
    return ask();
  } catch {
    throw scanFailure();
  }
}
