import { asyncScheduler, lastValueFrom } from 'rxjs';
import { messageOf } from '../../errors/describe-thrown.ts';
import type { Diagnose } from '../../process-hooks/picoclaw/dialect.ts';
import type { HostServer } from '../../process-hooks/protocol-2/serve-host.ts';
import { connectProcess } from '../../process-hooks/rpc-connection.ts';
import type { Tried } from './tried.ts';

/** Default timeouts of the host. */
const HELLO_MS = 5_000;
const TIMEOUT_MS = 60_000;

/** A call to a process after `hook.hello`. */
export interface Trial {
  readonly hello: object;
  /** Throws if the hook cannot be tried after that answer. */
  agree?(reply: unknown): void;
  readonly method: string;
  readonly params: object;
  /** Issues of the given params that have no effect. */
  readonly issues: readonly string[];
  /** Describes the reply in words. Throws if it is invalid. */
  read(reply: unknown, diagnose: Diagnose): string[];
  /** Answers requests of the process. Without it, no requests are supported. */
  readonly serve?: HostServer;
}

/** Starts a process hook, sends hello and one call, and ends it. */
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
          // Like the host: a hook that waits for an answer continues.
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
