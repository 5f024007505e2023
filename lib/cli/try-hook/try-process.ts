import { asyncScheduler, lastValueFrom } from 'rxjs';
import { messageOf } from '../../errors/describe-thrown.ts';
import type { Diagnose } from '../../process-hooks/picoclaw/dialect.ts';
import type { HostServer } from '../../process-hooks/protocol-2/serve-host.ts';
import { connectProcess } from '../../process-hooks/rpc-connection.ts';
import type { Tried } from './tried.ts';

/** As the host has them by default. */
const HELLO_MS = 5_000;
const TIMEOUT_MS = 60_000;

/** What a process is asked, once it has said hello. */
export interface Trial {
  readonly hello: object;
  /** Throws when the hook cannot be tried after that answer. */
  agree?(reply: unknown): void;
  readonly method: string;
  readonly params: object;
  /** What has no effect of what the params were given. */
  readonly issues: readonly string[];
  /** What the reply means, in words; throws when it does not fit. */
  read(reply: unknown, diagnose: Diagnose): string[];
  /** Answers what the process asks; without it, there is nothing that it may ask. */
  readonly serve?: HostServer;
}

/** Starts a process hook, says hello, calls it once and ends it. */
export async function tryProcess(command: readonly string[], trial: Trial): Promise<Tried> {
  const sent: unknown[] = [];
  const received: string[] = [];
  const asked: string[] = [];
  const stderr: string[] = [];
  const diagnostics = [...trial.issues];
  const connection = connectProcess(
    { command, env: process.env, maxLine: 1 << 24, maxUnread: 1 << 26 },
    {
      name: command.join(' '),
      scheduler: asyncScheduler,
      request(method, params, id) {
        if (!trial.serve) {
          diagnostics.push(`called ${method}, which does not exist.`);
          // As the host does: one that waits for an answer goes on.
          if (id !== undefined) connection.respond(id, { error: `method not found: ${method}` });
          return;
        }
        trial.serve(method, params).subscribe((answer) => {
          const given = 'error' in answer ? `refused: ${answer.error}` : JSON.stringify(answer.result);
          asked.push(`${method} ${JSON.stringify(params)} -> ${given}`);
          if (id !== undefined) connection.respond(id, answer);
        });
      },
      junk: (line, why) => diagnostics.push(`wrote a line that is not a response (${why}): ${line.slice(0, 200)}`),
      log: (line) => stderr.push(line),
    },
  );
  const call = async (method: string, params: object, timeoutMs: number): Promise<unknown> => {
    sent.push({ method, params });
    const reply = await lastValueFrom(connection.call(method, params, timeoutMs));
    received.push(JSON.stringify(reply));
    return reply;
  };
  let meaning: string[] = [];
  let failure: string | undefined;
  let ms = 0;
  try {
    const welcome = await call('hook.hello', trial.hello, HELLO_MS);
    trial.agree?.(welcome);
    const began = process.hrtime.bigint();
    const reply = await call(trial.method, trial.params, TIMEOUT_MS);
    ms = Number(process.hrtime.bigint() - began) / 1e6;
    meaning = trial.read(reply, (_, message) => diagnostics.push(message));
  } catch (thrown) {
    failure = messageOf(thrown);
  }
  await connection.stop();
  return { sent, received, asked, stderr, meaning, diagnostics, ms, failure };
}
