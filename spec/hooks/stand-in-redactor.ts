import type { Finding, RedactionStream, Redactor, StreamOptions } from '../../lib/redaction/redactor.ts';

/** A redactor with one rule, `key`: the letters `KEY-` and eight more. It is simple, so that a finding in a spec is the work of the hook. */
export const standInRedactor: Redactor = {
  redact(text) {
    const stream = standInStream();
    return { text: stream.write(text) + stream.end(), findings: stream.findings };
  },
  stream: standInStream,
};

/** The shape of a secret of the rule. */
export const SECRET = 'KEY-xy12zw34';
export const MARKER = '[REDACTED:key]';

function standInStream(options: StreamOptions = {}): RedactionStream {
  const findings: Finding[] = [];
  const { onFinding = (finding: Finding) => void findings.push(finding) } = options;
  let held = '';
  let passed = 0;
  const pass = (count: number): string => {
    const text = held.slice(0, count);
    held = held.slice(count);
    passed += count;
    return text;
  };
  return {
    findings,
    write(text) {
      held += text;
      let out = '';
      for (let found = /KEY-[a-z0-9]{8}/.exec(held); found; found = /KEY-[a-z0-9]{8}/.exec(held)) {
        out += `${pass(found.index)}${MARKER}`;
        onFinding({ rule: 'key', start: passed, end: passed + 12 });
        pass(12);
      }
      const begun = /(?:K|KE|KEY|KEY-[a-z0-9]{0,7})$/.exec(held);
      return out + pass(begun ? begun.index : held.length);
    },
    end: () => pass(held.length),
    abort() {
      const cut = held !== '';
      pass(held.length);
      return cut ? '[REDACTED:key]' : '';
    },
  };
}
