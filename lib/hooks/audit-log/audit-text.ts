import type { JsonValue } from '../../events/values/json-value.ts';
import type { Redactor } from '../../redaction/redactor.ts';
import { scanJson } from '../scanning/scan-json.ts';
import { boundJson } from '../text/bound-json.ts';
import { cutText } from '../text/cut-text.ts';
import { memberStream } from '../text/member-stream.ts';

const STRING_CHARACTERS = 4_096;
const VALUE_CHARACTERS = 16_384;
/** Of a longer text only the beginning is read. */
const READ_CHARACTERS = 262_144;
/** What is read beyond a cut, so that it does not halve a secret. */
const MARGIN = 8_192;

/** Texts and values as a record may hold them: without secrets, and of bounded size. */
export interface AuditText {
  /** A text as long as `max`; by default as a field of a record may be. */
  short<T extends string | undefined>(text: T, max?: number): T;
  /** A value as large as a field of a record may be. */
  bounded(value: JsonValue): JsonValue;
}

/** Without a redactor secrets stay. */
export function createAuditText(redactor: Redactor | undefined): AuditText {
  const cut = redactor ? cleanCut(redactor) : cutText;
  return {
    short: <T extends string | undefined>(text: T, max = STRING_CHARACTERS) =>
      (text === undefined ? undefined : cut(text, max)) as T,
    bounded(value) {
      const bound = boundJson(value, { perString: STRING_CHARACTERS, total: VALUE_CHARACTERS }, cut);
      return redactor ? scanJson(redactor, bound).value : bound;
    },
  };
}

/** Secrets are taken out first: half of one would not be known again. */
function cleanCut(redactor: Redactor): (text: string, max: number, key?: string) => string {
  return (text, max, key) => {
    const stream = memberStream(redactor, key);
    if (text.length <= READ_CHARACTERS) return cutText(stream.write(text) + stream.end(), max);
    const head = stream.write(text.slice(0, max + MARGIN)) + stream.abort();
    return `${head.slice(0, max)} … [${text.length - max} characters left out]`;
  };
}
