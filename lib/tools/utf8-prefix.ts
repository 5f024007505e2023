/** The first `maxBytes` bytes of UTF-8 text, fewer when a character would be cut. */
export function utf8Prefix(bytes: Buffer, maxBytes: number): Buffer {
  if (bytes.length <= maxBytes) return bytes;
  let end = maxBytes;
  // 10xxxxxx goes on with a character; no character has more than three of them.
  while (end > 0 && end > maxBytes - 4 && (bytes[end]! & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
}
