#!/usr/bin/env node
import { createProgram } from './create-program.ts';
import { endProcess } from './end-process.ts';
import { exitCodeOfError } from './exit-code-of-error.ts';

// A reader that has gone is not a reason for a stack trace; `run` ends itself when that happens.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

createProgram()
  .parseAsync()
  .then(
    () => endProcess(process.exitCode ?? 0),
    (thrown) => endProcess(exitCodeOfError(thrown)),
  );
