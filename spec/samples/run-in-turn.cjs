'use strict';

/*
 * Runs programs one after another in one process, which loads TypeScript and the package once. Each begins when nothing keeps the process alive any
 * more, so each has to end. A mark stands before the output of each: the first word.
 */

const { resolve } = require('node:path');
const [mark, ...programs] = process.argv.splice(2);

process.on('beforeExit', () => {
  const program = programs.shift();
  if (program === undefined) return;
  process.stdout.write(mark);
  // Node emits the event once more only if something was left to do.
  setImmediate(() => require(resolve(program)));
});
