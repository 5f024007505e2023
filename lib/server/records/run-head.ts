import { hostname } from 'node:os';
import { z } from 'zod';
import { isAlive } from '../../processes/is-alive.ts';
import { givenAnswerSchema } from '../approvals/suspended-run.ts';
import { type RunView, runViewSchema } from '../runs/run-view.ts';

/** The stored state of a run. */
export const runHeadSchema = z.strictObject({
  version: z.literal(1),
  view: runViewSchema,
  /** Answers to the calls of the run, by approval id. */
  answers: z.record(z.string(), givenAnswerSchema).exactOptional(),
  /** Lower-case text of prompts, answers, calls and results, for searches. */
  text: z.string().exactOptional(),
  /** The server that wrote the head last, and the time. */
  server: z.strictObject({ host: z.string(), pid: z.int() }),
  at: z.iso.datetime(),
});

export type RunHead = z.infer<typeof runHeadSchema>;

const HOST = hostname();

/** Creates a head that this server writes now. */
export function headOf(view: RunView, { answers, text }: Pick<RunHead, 'answers' | 'text'> = {}): RunHead {
  return {
    version: 1,
    view,
    ...(answers && { answers }),
    ...(text && { text }),
    server: { host: HOST, pid: process.pid },
    at: new Date().toISOString(),
  };
}

/** Returns the view in a head. If its server is gone, the run has ended. */
export function viewOf({ view, server, at }: RunHead, goneMs: number): RunView {
  if (view.state !== 'running' || isHere(server, Date.parse(at), goneMs)) return view;
  const { doing, ...rest } = view;
  return {
    ...rest,
    state: 'ended',
    outcome: 'failed',
    reason: 'The server ended while the run was active.',
    endedAt: at,
  };
}

/** Checks a process of this machine directly. A process of another machine is considered alive if its last write is recent. */
function isHere({ host, pid }: RunHead['server'], at: number, goneMs: number): boolean {
  if (Date.now() - at > goneMs) return false;
  return host !== HOST || isAlive(pid);
}
