/** Of a stream like stdout, what is needed to write to it. */
interface Target {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Where a run is shown and where it is logged. */
export interface Output {
  print(text: string): void;
  log(line: string): void;
}

/** Ties both streams together: where they share a terminal, a log line does not begin in the middle of a text that grows. */
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
