/** What has come of a stream, as far as it may be needed. Places are absolute. */
export interface History {
  /** What may be looked back at, to the end of what has come, and the place of its first character. */
  text: string;
  base: number;
  /** What is being read, and its place. */
  chunk: string;
  from: number;
}

/**
 * The UTF-16 unit at a place. Prefers the chunk: joining it to the text, which JavaScript puts off until somebody looks, costs more than
 * all else.
 */
export function unitAt({ chunk, from, text, base }: History, place: number): number {
  return place >= from ? chunk.charCodeAt(place - from) : text.charCodeAt(place - base);
}
