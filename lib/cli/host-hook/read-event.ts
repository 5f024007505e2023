import type { Readable } from 'node:stream';

/** As much as the largest file that a tool writes; what is larger cannot be judged. */
const MOST_CHARS = 64 * 1024 * 1024;

/** All of an event that a host sends; whoever has sent it can be answered then. */
export async function readEvent(input: Readable): Promise<string> {
  let text = '';
  input.setEncoding('utf8');
  for await (const chunk of input.iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (text.length > MOST_CHARS) throw new Error(`the event is larger than ${MOST_CHARS} characters.`);
  }
  return text;
}
