import type { Confidence } from './confidence.ts';

/** The place of a secret. Never its value. */
export interface Finding {
  readonly rule: string;
  /** The confidence; for overlapping findings the highest. Absent from redactors without confidence: `format`. */
  readonly confidence?: Confidence;
  /** In UTF-16 units of the original text, from its beginning; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/** Redacted text, and the places of its secrets. */
export interface Redacted {
  readonly text: string;
  readonly findings: readonly Finding[];
}

/** Redacts secrets in a text or a stream. */
export interface Redactor {
  /** Returns the text as a stream would release it, with any chunks. */
  redact(text: string, options?: Pick<StreamOptions, 'leave' | 'memory'>): Redacted;
  /** Creates a scanner for one stream of text. It keeps a bounded part of the text, and its `findings` if no callback receives them. */
  stream(options?: StreamOptions): RedactionStream;
}

/** The receivers of the findings of a stream. */
export interface StreamOptions {
  /**
   * Receives each finding in text order, before the call that releases its end returns. Then no list is kept, so that memory does not depend on the length of
   * the stream. It must not throw.
   */
  readonly onFinding?: (finding: Finding) => void;
  /** Findings of these confidences are reported but stay in the text. Default: none. */
  readonly leave?: readonly Confidence[];
  /** Stores values that are found with confidence, and makes the redactor find its values wherever they recur. Default: none. */
  readonly memory?: SecretMemory;
}

/** The scanner of one stream. Its outputs, concatenated, equal the result of `redact` for the whole text. */
export interface RedactionStream {
  /** Adds text, in chunks of any size, and returns the text that is final. */
  write(text: string): string;
  /** Ends the text and returns the rest. */
  end(): string;
  /** Ends a cut stream: returns the rest that may be shown, with a marker for a possible secret. */
  abort(): string;
  /** The findings so far, in text order; empty if `onFinding` receives them. */
  readonly findings: readonly Finding[];
}

/** The display of secrets. */
export interface RedactorOptions {
  /**
   * `marker` (default): `[REDACTED:rule]`. `numbered`: `[REDACTED:rule#1]`, the same number for the same value within a stream. `mask`: its length in
   * asterisks. `hash`: `[REDACTED:rule:<keyed hash>]`. `format`: letters and digits replaced by others of their kind, keyed; a second pass may find and
   * replace it again, because it looks like the original. `token`: a token of `vault`.
   */
  readonly mode?: 'marker' | 'numbered' | 'mask' | 'hash' | 'format' | 'token';
  /** For `hash` and `format`: the same key produces the same replacement. */
  readonly key?: string;
  /** For `token`: stores values and returns them. */
  readonly vault?: TokenVault;
  /**
   * Values that are always secrets, also in their encodings: base64 and base64url, also wrapped into lines, URL, HTML, JSON, JSON in JSON. At least 6
   * characters each.
   */
  readonly known?: readonly KnownValue[];
}

/** A configured secret. */
export interface KnownValue {
  /** The label of its marker: `[REDACTED:<label>]`. */
  readonly label: string;
  readonly value: string;
}

/** Stores values behind tokens; synchronous, because a token is needed in the middle of a chunk. */
export interface TokenVault {
  /** Returns the token of a value: the same for the same value. */
  tokenFor(value: string, rule: string): string;
  /** Returns the value behind a token; `undefined` for an unknown one. */
  valueOf(token: string): string | undefined;
}

/**
 * Values that were found with confidence (`format` or `assigned`). Streams that share it redact later occurrences too, plain and encoded. It stays in the
 * process and is never written. It accepts values of 12 to 1024 characters with enough entropy, up to its capacity, and ignores later ones.
 */
export interface SecretMemory {
  /** Adds a value under the ID of the rule that found it. */
  add(value: string, rule: string): void;
  /** The number of values. */
  readonly size: number;
}
