import { hostname } from 'node:os';
import { z } from 'zod';
import { isAlive } from '../../processes/is-alive.ts';
import { pidNamespace } from '../../processes/pid-namespace.ts';
import { runPlaceSchema } from '../approvals/run-place.ts';
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
  /** The workspace of the run. Absent: the run belongs to a program. */
  place: runPlaceSchema.exactOptional(),
  /** Whether the events before each call are stored before the call runs. */
  writeAhead: z.literal(true).exactOptional(),
  /** How often this run and those that it continues were taken over. Attempts that failed count, too. */
  takeOvers: z.int().positive().exactOptional(),
  /** The limit of the request. */
  maxIterations: z.int().positive().exactOptional(),
  /** The server that wrote the head last, and the time. Process IDs of two namespaces, such as those of containers, are unrelated. */
  server: z.strictObject({ host: z.string(), pid: z.int(), namespace: z.string().exactOptional() }),
  at: z.iso.datetime(),
});

export type RunHead = z.infer<typeof runHeadSchema>;

const HOST = hostname();
const NAMESPACE = pidNamespace();

/** Creates a head that this server writes now. */
export function headOf(view: RunView, { answers, text, ...about }: Partial<Omit<RunHead, 'view'>> = {}): RunHead {
  return {
    version: 1,
    view,
    ...(answers && { answers }),
    ...(text && { text }),
    ...about,
    server: { host: HOST, pid: process.pid, namespace: NAMESPACE },
    at: new Date().toISOString(),
  };
}

/** Returns what a server needs that takes over the run. */
export function keptOf({ takeOvers, maxIterations }: { takeOvers?: number; maxIterations?: number } = {}) {
  return { ...(takeOvers && { takeOvers }), ...(maxIterations && { maxIterations }) };
}

/** Returns the view in a head. If its server is gone, the run has ended, unless it `waits` for another server. */
export function viewOf(head: RunHead, goneMs: number, waits = false): RunView {
  const { view, at } = head;
  if (!isLost(head, goneMs)) return view;
  const { doing, paused, ...rest } = view;
  if (waits) return { ...rest, ...(paused && { paused }) };
  return {
    ...rest,
    state: 'ended',
    outcome: 'failed',
    reason: 'The server ended while the run was active.',
    endedAt: at,
  };
}

/** Whether a run was active when its server ended. */
export function isLost({ view, server, at }: RunHead, goneMs: number): boolean {
  return view.state === 'running' && !isHere(server, Date.parse(at), goneMs);
}

/** Whether this process has written the head of an active run. */
export function isOwn({ view, server }: RunHead): boolean {
  const { host, pid, namespace = NAMESPACE } = server;
  return view.state === 'running' && host === HOST && pid === process.pid && namespace === NAMESPACE;
}

/** Checks a process of this machine directly. Any other one is considered alive if its last write is recent. */
function isHere({ host, pid, namespace = NAMESPACE }: RunHead['server'], at: number, goneMs: number): boolean {
  if (Date.now() - at > goneMs) return false;
  return host !== HOST || namespace !== NAMESPACE || isAlive(pid);
}
