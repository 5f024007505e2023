import type { RunInfo } from '../../events/parts/run-info.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import type { Redactor } from '../../redaction/redactor.ts';
import { redactorIn } from '../scanning/run-secrets.ts';
import { scanJson } from '../scanning/scan-json.ts';
import { boundJson } from '../text/bound-json.ts';
import { cutText } from '../text/cut-text.ts';
import { fieldStream, redactField } from '../text/field-stream.ts';

const STRING_CHARACTERS = 4_096;
const VALUE_CHARACTERS = 16_384;
/** The maximum number of characters to read from a text. */
const READ_CHARACTERS = 262_144;
/** The number of characters read beyond a cut, so that the cut does not split a secret. */
const MARGIN = 8_192;

/** Prepares texts and values for a record: without secrets, and of limited size. */
export interface AuditText {
  /** Cuts a text at `max` characters. Default: the limit of a field. */
  short<T extends string | undefined>(text: T, max?: number): T;
  /** Limits a value to the size of a field. */
  bounded(value: JsonValue): JsonValue;
}

/** Creates the functions for the texts of a run. Without a redactor, secrets remain. */
export function createAuditText(given: Redactor | undefined, run: RunInfo): AuditText {
  const redactor = given && redactorIn(run, given);
  const cut = redactor ? cleanCut(redactor) : cutText;
  return {
    short: <T extends string | undefined>(text: T, max = STRING_CHARACTERS) =>
      (text === undefined ? undefined : cut(text, max)) as T,
    bounded(value) {
      // Whatever is not cut here is redacted below.
      const bound = boundJson(value, { perString: STRING_CHARACTERS, total: VALUE_CHARACTERS }, (text, max, key) =>
        text.length <= max ? text : cut(text, max, key),
      );
      return redactor ? scanJson(redactor, bound).value : bound;
    },
  };
}

/** Redacts before cutting, because half a secret would not be recognized. */
function cleanCut(redactor: Redactor): (text: string, max: number, key?: string) => string {
  return (text, max, key) => {
    if (text.length <= READ_CHARACTERS) return cutText(redactField(redactor, key, text).text, max);
    const stream = fieldStream(redactor, key);
    const head = stream.write(text.slice(0, max + MARGIN)) + stream.abort();
    return `${head.slice(0, max)} … [${text.length - max} characters omitted]`;
  };
}
