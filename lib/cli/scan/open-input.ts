import { constants, createReadStream, openSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';

/** Opens a file to be read. A named pipe whose writer has not come yet holds nothing up: opened as a file, it could not be let go of again. */
export async function openInput(file: string): Promise<Readable> {
  const isPipe = process.platform !== 'win32' && (await stat(file)).isFIFO();
  if (!isPipe) return createReadStream(file);
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  return new Socket({ fd, readable: true, writable: false });
}
