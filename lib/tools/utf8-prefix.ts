/** Returns the first `maxBytes` bytes of UTF-8 text, or fewer, so that no character is cut. */
export function utf8Prefix(bytes: Buffer, maxBytes: number): Buffer {
  if (bytes.length <= maxBytes) return bytes;
  let end = maxBytes;
  // 10xxxxxx is a continuation byte. A character has at most three of them.
  while (end > 0 && end > maxBytes - 4 && (bytes[end]! & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
}
