/** The part of a stream like stdout that writing needs. */
interface Target {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Output of a run and of its log. */
export interface Output {
  print(text: string): void;
  log(line: string): void;
}

/** Coordinates both streams: on a shared terminal, a log line does not start in the middle of streamed text. */
export function createOutput(shown: Target = process.stdout, logged: Target = process.stderr): Output {
  const shared = shown.isTTY === true && logged.isTTY === true;
  let within = false;
  return {
    print(text) {
      if (text !== '') within = !text.endsWith('\n');
      shown.write(text);
    },
    log(line) {
      if (shared && within) shown.write('\n');
      within = false;
      logged.write(line);
    },
  };
}
