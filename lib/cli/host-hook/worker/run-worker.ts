import { lightPackages } from '../../light-packages.ts';
import { readWorkerWords } from './read-worker-words.ts';

/** Runs the hooks for a front process: `hook` with `--worker`. */
export function runWorker(words: readonly string[]): Promise<void> {
  const flags = readWorkerWords(words);
  if (!flags) return program().runProgram();
  lightPackages(false);
  const { serveJudging }: typeof import('./serve-judging.ts') = require('./serve-judging');
  return serveJudging(flags).catch((thrown) => program().endFailed(thrown));
}

function program(): typeof import('../../run-program.ts') {
  return require('../../run-program');
}
