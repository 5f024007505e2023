import { hostname } from 'node:os';
import { z } from 'zod';
import { isAlive } from '../../processes/is-alive.ts';
import { givenAnswerSchema } from '../approvals/suspended-run.ts';
import { type RunView, runViewSchema } from '../runs/run-view.ts';

/** How a run stands, as it is kept. */
export const runHeadSchema = z.strictObject({
  version: z.literal(1),
  view: runViewSchema,
  /** Who said what to its calls, by the ids of their approvals. */
  answers: z.record(z.string(), givenAnswerSchema).exactOptional(),
  /** The server that has written it last, and when. */
  server: z.strictObject({ host: z.string(), pid: z.int() }),
  at: z.iso.datetime(),
});

export type RunHead = z.infer<typeof runHeadSchema>;

const HOST = hostname();

/** A head that this server writes now. */
export function headOf(view: RunView, answers?: RunHead['answers']): RunHead {
  return {
    version: 1,
    view,
    ...(answers && { answers }),
    server: { host: HOST, pid: process.pid },
    at: new Date().toISOString(),
  };
}

/** The view of a run that a head tells of: one whose server has gone has ended. */
export function viewOf({ view, server, at }: RunHead, goneMs: number): RunView {
  if (view.state !== 'running' || isHere(server, Date.parse(at), goneMs)) return view;
  const { doing, ...rest } = view;
  return { ...rest, state: 'ended', outcome: 'failed', reason: 'The server ended while the run went on.', endedAt: at };
}

/** A process of this machine is asked; of another one it counts when it has written last. */
function isHere({ host, pid }: RunHead['server'], at: number, goneMs: number): boolean {
  if (Date.now() - at > goneMs) return false;
  return host !== HOST || isAlive(pid);
}
