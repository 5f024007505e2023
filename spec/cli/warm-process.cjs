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

const outputs = [process.stdout, process.stderr];
const write = outputs.map((stream) => stream.write.bind(stream));

let exited = () => {};
process.exit = (code) => {
  // The error below reaches the command's own handlers. What they print, a process that has exited would not.
  for (const stream of outputs) stream.write = () => true;
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

const emitters = [process, ...outputs];
const listeners = () =>
  emitters.flatMap((emitter) =>
    emitter.eventNames().flatMap((name) => emitter.rawListeners(name).map((listener) => ({ emitter, name, listener }))),
  );
let own = [];

/** Calls what the command does at its exit, and removes its listeners. */
function endCommand(code) {
  process.exitCode = code;
  const isOwn = ({ emitter, name, listener }) =>
    own.some((one) => one.emitter === emitter && one.name === name && one.listener === listener);
  for (const { emitter, name, listener } of listeners().filter((one) => !isOwn(one))) {
    emitter.removeListener(name, listener);
    if (emitter === process && name === 'exit') listener.call(process, code);
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
  await new Promise(setImmediate);
  exited = () => {};
  const last = endCommand(code);
  outputs.forEach((stream, nth) => {
    stream.write = write[nth];
    stream.write(mark);
  });
  process.send({ code: last });
});
own = listeners();
