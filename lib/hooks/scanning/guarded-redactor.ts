import type { Finding, RedactionStream, Redactor, StreamOptions } from '../../redaction/redactor.ts';
import { scanFailure } from './scan-failure.ts';

/**
 * Wraps a redactor so that it throws no secrets, because a custom vault or redactor may quote its input. A redactor may return a list of findings in
 * addition to calling back. Each finding is reported once.
 */
export function guardedRedactor(redactor: Redactor): Redactor {
  return {
    redact: (text, options) => guard(() => redactor.redact(text, options)),
    stream: (options) => guardedStream(redactor, options),
  };
}

function guardedStream(redactor: Redactor, { onFinding, ...options }: StreamOptions = {}): RedactionStream {
  let told = 0;
  /** The number of findings from callbacks. Callbacks and list are both in text order, so the same index is the same finding. */
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
