const REPLACEMENT = '\ufffd';
const WRITTEN = Buffer.from(REPLACEMENT);

/** Finds the first byte that is not UTF-8 in a stream. It receives each read with its decoded text and returns the offset once. */
export function createInvalidUtf8(): (bytes: Buffer, text: string) => number | undefined {
  let read = 0;
  let decoded = 0;
  let found = false;
  /** Bytes of earlier reads that the decoder may have kept. */
  let tail: Buffer = Buffer.alloc(0);

  return (bytes, text) => {
    if (found) return undefined;
    const from = read - tail.length;
    const known = Buffer.concat([tail, bytes]);
    let done = 0;
    for (let at = text.indexOf(REPLACEMENT); at >= 0; at = text.indexOf(REPLACEMENT, at + 1)) {
      decoded += Buffer.byteLength(text.slice(done, at));
      done = at;
      const start = decoded - from;
      // The original text may also contain the replacement character.
      found = !known.subarray(start, start + WRITTEN.length).equals(WRITTEN);
      if (found) return decoded;
    }
    decoded += Buffer.byteLength(text.slice(done));
    read += bytes.length;
    tail = known.subarray(-3);
    return undefined;
  };
}
