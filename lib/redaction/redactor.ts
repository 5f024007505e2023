import type { Confidence } from './confidence.ts';

/** Where a secret stood. Never what it was. */
export interface Finding {
  readonly rule: string;
  /** How sure it is; of overlapping findings the surest. Absent from a redactor that does not tell: `format`. */
  readonly confidence?: Confidence;
  /** In UTF-16 units of the original text, from its beginning; `end` is one past the last. */
  readonly start: number;
  readonly end: number;
}

/** Text without its secrets, and where they stood. */
export interface Redacted {
  readonly text: string;
  readonly findings: readonly Finding[];
}

/** Takes secrets out of text: whole, or as it comes. */
export interface Redactor {
  /** The text as a stream of any chunking would have let it out. */
  redact(text: string, options?: Pick<StreamOptions, 'leave' | 'memory'>): Redacted;
  /** A scanner for one stream of text; it keeps a bounded part of what has come, but for its `findings`, if nobody else takes them. */
  stream(options?: StreamOptions): RedactionStream;
}

/** Who takes what is found in a stream. */
export interface StreamOptions {
  /**
   * Told of each finding, in the order of the text, before the call that gives its end out returns. No list is kept then, so that a stream of
   * any length takes the same memory. It must not throw.
   */
  readonly onFinding?: (finding: Finding) => void;
  /** Findings of these confidences are told of and stay in the text. Default: none. */
  readonly leave?: readonly Confidence[];
  /** Takes values that are found with confidence, and has those that it holds found wherever they come back. Default: none. */
  readonly memory?: SecretMemory;
}

/** The scanner of one stream. What it gives, one after the other, is what `redact` gives for the whole. */
export interface RedactionStream {
  /** Takes the next text, in pieces of any size, and gives what is certain by now. */
  write(text: string): string;
  /** No more text: gives the rest. */
  end(): string;
  /** The stream was cut: gives what may be shown of the rest, with a marker for what may have become a secret. */
  abort(): string;
  /** What has been found so far, in the order of the text; empty where `onFinding` takes it. */
  readonly findings: readonly Finding[];
}

/** How secrets are shown. */
export interface RedactorOptions {
  /**
   * `marker` (default): `[REDACTED:rule]`. `numbered`: `[REDACTED:rule#1]`, the same number for the same value within a stream. `mask`: its
   * length in asterisks. `hash`: `[REDACTED:rule:<keyed hash>]`. `format`: letters and digits replaced by others of their kind, keyed; looks
   * like what it replaces, so a second pass may find and replace it again. `token`: what `vault` gives.
   */
  readonly mode?: 'marker' | 'numbered' | 'mask' | 'hash' | 'format' | 'token';
  /** For `hash` and `format`: the same key gives the same replacement. */
  readonly key?: string;
  /** For `token`: keeps values and gives them back. */
  readonly vault?: TokenVault;
  /**
   * Values that are secrets whatever they look like, in their encodings too: base64 and base64url, also wrapped into lines, URL, HTML, JSON,
   * JSON in JSON. At least 6 characters each.
   */
  readonly known?: readonly KnownValue[];
}

/** A configured secret. */
export interface KnownValue {
  /** What its marker says: `[REDACTED:<label>]`. */
  readonly label: string;
  readonly value: string;
}

/** Keeps values behind tokens; synchronous, because a token is needed in the middle of a chunk. */
export interface TokenVault {
  /** The token of a value: the same for the same value. */
  tokenFor(value: string, rule: string): string;
  /** The value behind a token; `undefined` for one that it has not given. */
  valueOf(token: string): string | undefined;
}

/**
 * Values that were found with confidence (`format` or `assigned`): streams that share it take later occurrences for secrets too, bare and in their encodings. It is kept in the process
 * only, and never written down. It takes values of 12 to 1024 characters with enough entropy, up to its bound; later values are not taken.
 */
export interface SecretMemory {
  /** Takes a value under the id of the rule that found it. */
  add(value: string, rule: string): void;
  /** How many values it holds. */
  readonly size: number;
}
