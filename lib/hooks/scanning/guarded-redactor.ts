import type { Finding, RedactionStream, Redactor, StreamOptions } from '../../redaction/redactor.ts';
import { scanFailure } from './scan-failure.ts';

/**
 * The redactor, which throws nothing that could hold a secret: a vault or a redactor of the host's own may quote what it was given. Such a
 * redactor may keep a list although it was asked to tell; what is in it is told nevertheless, and once where it does both.
 */
export function guardedRedactor(redactor: Redactor): Redactor {
  return {
    redact: (text, options) => guard(() => redactor.redact(text, options)),
    stream: (options) => guardedStream(redactor, options),
  };
}

function guardedStream(redactor: Redactor, { onFinding, ...options }: StreamOptions = {}): RedactionStream {
  let told = 0;
  /** What the redactor has told by itself. Both it and the list follow the text, so the same place is the same finding. */
  let heard = 0;
  const hear = (finding: Finding): void => {
    heard += 1;
    if (heard <= told) return;
    told = heard;
    onFinding?.(finding);
  };
  const stream = guard(() => redactor.stream(onFinding ? { ...options, onFinding: hear } : options));

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
