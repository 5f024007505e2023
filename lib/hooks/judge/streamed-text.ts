import { createTextHash } from '../../hashes/sha256.ts';

/** The received and the forwarded text of a stream. It stores only fingerprints and the changed rest. */
export interface StreamedText {
  add(came: string, went: string): void;
  /** Whether `text` equals all forwarded text. */
  isWhatWent(text: string): boolean;
  /** Returns the forwarded text if `text` equals all received text. */
  wentFor(text: string): string | undefined;
}

/** Starts with an empty text. */
export function streamedText(): StreamedText {
  const [came, went] = [fingerprint(), fingerprint()];
  /** The length of the unchanged beginning, and the forwarded text after the first change. */
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
  const hash = createTextHash();
  let length = 0;
  return {
    add(text: string): void {
      hash.add(text);
      length += text.length;
    },
    is: (text: string): boolean => text.length === length && hash.isOf(text),
  };
}
