import type { Finding, RedactionStream, Redactor, StreamOptions } from '../../redaction/redactor.ts';
import { orScanFailure } from './scan-failure.ts';

/**
 * Wraps a redactor so that it throws no secrets, because a custom vault or redactor may quote its input. A redactor may return a list of findings in
 * addition to calling back. Each finding is reported once.
 */
export function guardedRedactor(redactor: Redactor): Redactor {
  return {
    redact: (text, options) => orScanFailure(() => redactor.redact(text, options)),
    stream: (options) => guardedStream(redactor, options),
  };
}

function guardedStream(redactor: Redactor, options: StreamOptions = {}): RedactionStream {
  // A list of its own, because V8 is slow to create an object with a getter.
  const findings: Finding[] = [];
  const { onFinding = (finding: Finding) => void findings.push(finding) } = options;
  let reported = 0;
  /** The number of findings from callbacks. Callbacks and list are both in text order, so the same index is the same finding. */
  let seen = 0;
  const onceReported = (finding: Finding): void => {
    seen += 1;
    if (seen <= reported) return;
    reported = seen;
    onFinding(finding);
  };
  const stream = orScanFailure(() => redactor.stream({ ...options, onFinding: onceReported }));

  function ask(act: () => string): string {
    return orScanFailure(() => {
      const text = act();
      for (; reported < stream.findings.length; reported += 1) onFinding(stream.findings[reported] as Finding);
      return text;
    });
  }

  return {
    write: (text) => ask(() => stream.write(text)),
    end: () => ask(() => stream.end()),
    abort: () => ask(() => stream.abort()),
    findings,
  };
}
