import { createHash } from 'node:crypto';

/** The text of a stream, as it came and as it went on, of which no more is kept than tells whether a text is that. */
export interface StreamedText {
  add(came: string, went: string): void;
  /** Whether this is all that went on. */
  isWhatWent(text: string): boolean;
  /** What went on, if this is all that came. */
  wentFor(text: string): string | undefined;
}

/** Begins with an empty text. */
export function streamedText(): StreamedText {
  const [came, went] = [fingerprint(), fingerprint()];
  /** How much went on as it came, and all that went on from there, where there is a difference. */
  let same = 0;
  let rest: string | undefined;
  return {
    add(one, other) {
      came.add(one);
      went.add(other);
      if (rest === undefined && one === other) same += one.length;
      else rest = (rest ?? '') + other;
    },
    isWhatWent: went.is,
    wentFor: (text) => (came.is(text) ? text.slice(0, same) + (rest ?? '') : undefined),
  };
}

function fingerprint() {
  const hash = createHash('sha256');
  let length = 0;
  return {
    add(text: string): void {
      // Not as UTF-8: half a character is no text in it.
      hash.update(text, 'utf16le');
      length += text.length;
    },
    is: (text: string): boolean =>
      text.length === length && createHash('sha256').update(text, 'utf16le').digest().equals(hash.copy().digest()),
  };
}
