'use strict';

/*
 * Runs commands of the built command line, one after another, in one process. The parent sends the words, the folder, the environment and the input
 * of a command, and receives its exit code. Marks end the output of each command.
 */

const { Readable } = require('node:stream');
const [, , main, program] = process.argv;
const { runProgram } = require(program);

/** Thrown in place of an exit. */
class Exited extends Error {}

let exited = () => {};
process.exit = (code) => {
  exited(code ?? process.exitCode ?? 0);
  throw new Exited();
};
// A command would wait for the channel to the parent, and exit later.
process.getActiveResourcesInfo = () => [];
process.on('uncaughtException', (thrown) => {
  if (thrown instanceof Exited) return;
  process.stderr.write(`${thrown.stack}\n`);
  process.reallyExit(70);
});
process.on('disconnect', () => process.reallyExit(0));

/** Listeners by event, as functions that `removeListener` accepts. */
const listeners = () => new Map(process.eventNames().map((name) => [name, process.rawListeners(name)]));
const own = listeners();

/** Calls what the command does at its exit, and removes its listeners. */
function endCommand(code) {
  process.exitCode = code;
  const added = [...listeners()].flatMap(([name, all]) =>
    all.filter((one) => !own.get(name)?.includes(one)).map((listener) => ({ name, listener })),
  );
  for (const { name, listener } of added) {
    process.removeListener(name, listener);
    if (name === 'exit') listener.call(process, code);
  }
  return process.exitCode;
}

process.on('message', async ({ words, cwd, env, input, mark }) => {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv = [process.argv[0], main, ...words];
  process.exitCode = undefined;
  Object.defineProperty(process, 'stdin', { configurable: true, value: Readable.from([Buffer.from(input)]) });
  const code = await new Promise((resolve) => {
    exited = resolve;
    runProgram().catch((thrown) => {
      if (!(thrown instanceof Exited)) throw thrown;
    });
  });
  exited = () => {};
  const last = endCommand(code);
  for (const stream of [process.stdout, process.stderr]) stream.write(mark);
  process.send({ code: last });
});
own.set('message', process.rawListeners('message'));
