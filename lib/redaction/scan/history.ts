/** The text of a stream that may still be needed. Places are absolute. */
export interface History {
  /** The earlier text that may be read again, up to the end of the received text, and the place of its first character. */
  text: string;
  base: number;
  /** The text being read, and its place. */
  chunk: string;
  from: number;
}

/**
 * Returns the UTF-16 unit at a place. It prefers the chunk: joining it to the text, which JavaScript defers until the text is read, costs more than all other
 * work.
 */
export function unitAt({ chunk, from, text, base }: History, place: number): number {
  return place >= from ? chunk.charCodeAt(place - from) : text.charCodeAt(place - base);
}
