import type { RedactionStream, Redactor } from '../redaction/redactor.ts';
import { scanFailure } from './scan-failure.ts';

/** The redactor, which throws nothing that could hold a secret: a vault or a redactor of the host's own may quote what it was given. */
export function guardedRedactor(redactor: Redactor): Redactor {
  return {
    redact: (text) => guard(() => redactor.redact(text)),
    stream: () => guardedStream(guard(() => redactor.stream())),
  };
}

function guardedStream(stream: RedactionStream): RedactionStream {
  return {
    write: (text) => guard(() => stream.write(text)),
    end: () => guard(() => stream.end()),
    abort: () => guard(() => stream.abort()),
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
