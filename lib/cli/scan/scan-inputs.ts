import { once } from 'node:events';
import { constants, createReadStream, openSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { visibleText } from '../../hooks/text/visible-text.ts';
import { createSecretMemory } from '../../redaction/memory/secret-memory.ts';
import type { Finding, Redactor, SecretMemory } from '../../redaction/redactor.ts';
import { createStop, type Stop } from '../setup/create-stop.ts';
import { createPlaces } from '../setup/places.ts';
import { readText } from '../terminal/read-text.ts';
import { encoded, type TextEncoding } from '../terminal/text-encoding.ts';

/** Output: the places of secrets, or the text without them. */
export type ScanOutput = 'lines' | 'json' | 'redact';

interface ScanRun {
  readonly output: ScanOutput;
  readonly stop: Stop;
  readonly memory: SecretMemory;
}

/** Scans files (`-` is stdin) in order and returns the exit code. An unreadable file is reported, and the others are still scanned. */
export async function scanInputs(
  files: readonly string[],
  redactorFor: (file: string) => Redactor,
  output: ScanOutput,
): Promise<number> {
  // 1 means that secrets were found.
  const stop = createStop({ lostOutput: 2 });
  // A secret of one file is also a secret in the next files.
  const memory = createSecretMemory();
  let found = false;
  let failed = false;
  for (const file of files) {
    try {
      if (await scanInput(file, redactorFor(file), { output, stop, memory })) found = true;
    } catch (thrown) {
      failed = true;
      process.stderr.write(`error: ${visibleText(file)}: ${visibleText(whyOf(thrown as NodeJS.ErrnoException))}\n`);
    }
    if (stop.signal.aborted) break;
  }
  return stop.codeFor('cancelled') ?? (failed ? 2 : found ? 1 : 0);
}

function whyOf({ code, message }: NodeJS.ErrnoException): string {
  return code === 'EISDIR' ? 'it is a directory; pass its files' : message;
}

async function scanInput(file: string, redactor: Redactor, { output, stop, memory }: ScanRun): Promise<boolean> {
  const input = file === '-' ? process.stdin : await openInput(file);
  const leave = () => void input.destroy();
  stop.signal.addEventListener('abort', leave);
  const places = createPlaces();
  const scanner = redactor.stream({ onFinding, memory });
  let found = false;
  let lines = '';
  let whole = false;
  let encoding: TextEncoding = 'utf-8';

  function onFinding({ rule, confidence, start }: Finding): void {
    found = true;
    if (output === 'redact') return;
    const { line, column } = places.placeOf(start);
    lines +=
      output === 'json'
        ? `${JSON.stringify({ file, line, column, rule, confidence })}\n`
        : `${visibleText(file)}:${line}:${column}: ${rule}\n`;
  }

  function onEncoding(detected: TextEncoding): void {
    encoding = detected;
  }

  function onInvalid(offset: number): void {
    const what = `it is not ${encoding.toUpperCase()} at byte ${offset}`;
    // A file can be converted first. A pipe that has started continues.
    if (output === 'redact' && file !== '-')
      throw new Error(`${what}, and redaction would change it; convert it first`);
    const changes = output === 'redact' ? '; such bytes are printed as U+FFFD' : '';
    process.stderr.write(`warning: ${visibleText(file)}: ${what}${changes}\n`);
  }

  async function printFindings(text: string): Promise<void> {
    if (output === 'redact') return print(encoded(text, encoding), stop);
    const pending = lines;
    lines = '';
    return print(pending, stop);
  }

  try {
    for await (const text of readText(input, { keepMark: output === 'redact', onEncoding, onInvalid })) {
      places.add(text);
      await printFindings(scanner.write(text));
    }
    whole = !stop.signal.aborted;
  } catch (thrown) {
    if (!stop.signal.aborted) throw thrown;
  } finally {
    stop.signal.removeEventListener('abort', leave);
    // In a truncated text, the buffered rest may be half a secret.
    await printFindings(whole ? scanner.end() : scanner.abort());
  }
  return found;
}

/** Waits for a slow reader, because a long pipe must not fill the memory. */
async function print(text: string | Buffer, { signal }: Stop): Promise<void> {
  if (text.length === 0 || process.stdout.write(text) || signal.aborted) return;
  await once(process.stdout, 'drain', { signal }).catch(() => {});
}

/** Opens a file for reading. A named pipe is opened as a non-blocking socket: as a file, it could not be closed while it waits for its writer. */
async function openInput(file: string): Promise<Readable> {
  const isPipe = process.platform !== 'win32' && (await stat(file)).isFIFO();
  if (!isPipe) return createReadStream(file);
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  return new Socket({ fd, readable: true, writable: false });
}
