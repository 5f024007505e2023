import { batch, computed, signal } from '@preact/signals';
import type { Approval } from '../../approvals/approval.ts';
import type { RunView } from '../../runs/run-view.ts';
import { announce } from '../ui/announce.tsx';
import { callApi } from './call-api.ts';
import { follow } from './follow.ts';

/** The answer for a call, and its sender. */
export interface Given {
  readonly action?: 'approve' | 'deny';
  readonly by?: string;
  readonly reason?: string;
}

/** A call that is pending, or was answered while it was visible. */
export interface Waiting {
  readonly approval: Approval;
  readonly given?: Given;
}

/** The user of the page, and the permissions of the token. */
export interface Me {
  readonly user: string;
  readonly rights: readonly string[];
  /** Whether the server starts runs. */
  readonly starts?: boolean;
}

export const me = signal<Me | undefined>(undefined);
export const runs = signal<ReadonlyMap<string, RunView>>(new Map());
export const waiting = signal<ReadonlyMap<string, Waiting>>(new Map());
/** The state of the connection to the server: `none` if it has no runs, but has recordings. */
export const connection = signal<'connecting' | 'open' | 'lost' | 'none'>('connecting');

/** The pending calls, those that expire first on top. */
export const open = computed(() =>
  [...waiting.value.values()]
    .filter(({ given }) => !given)
    .sort((a, b) => a.approval.expiresAt.localeCompare(b.approval.expiresAt)),
);

/** The displayed state of a run. An active run with a pending call is waiting, too. */
export function stateOf(run: Pick<RunView, 'runId' | 'state' | 'waiting'>): RunView['state'] {
  const asks = run.waiting !== undefined || open.value.some(({ approval }) => approval.runId === run.runId);
  return run.state === 'running' && asks ? 'suspended' : run.state;
}

export function may(right: string): boolean {
  return me.value?.rights.includes(right) ?? false;
}

/** Whether the user can start runs on the page. */
export function mayStart(): boolean {
  return may('run') && me.value?.starts === true;
}

/** Follows the changes of runs and approvals, until it is stopped. */
export function followActivity(): () => void {
  /** The runs and calls received since the connection was opened. */
  let received: Set<string> | undefined;
  void callApi<Me>('GET', '/api/me').then(({ ok, body }) => {
    if (ok) me.value = body;
  });
  return follow('/api/activity', {
    opened() {
      received = new Set();
      connection.value = 'open';
    },
    lost() {
      if (connection.value === 'open') announce('The connection to the server is lost. Reconnecting.');
      connection.value = 'lost';
    },
    ended() {
      connection.value = 'none';
    },
    frames: (frames) =>
      batch(() => {
        for (const { event, data } of frames) {
          const value = JSON.parse(data);
          if (event === 'run') {
            received?.add(value.runId);
            addRun(value);
          } else if (event === 'approval') {
            received?.add(value.id);
            addWaiting(value);
          } else if (event === 'answered') noteAnswer(value.id, value);
          else if (event === 'ready') {
            forgetAllBut(received ?? new Set());
            lookAgainForAllBut(received ?? new Set());
            received = undefined;
          }
        }
      }),
  });
}

/** The states of a run, in order. A resumed run is another run. */
const order: readonly RunView['state'][] = ['running', 'suspended', 'ended'];

/** Shows the view of a run. A response may be older than the activity that arrived before it. */
export function addRun(view: RunView): void {
  const known = runs.value.get(view.runId);
  if (known && order.indexOf(known.state) > order.indexOf(view.state)) return;
  runs.value = new Map(runs.value).set(view.runId, view);
}

function addWaiting(approval: Approval): void {
  const known = waiting.value.get(approval.id);
  // A call that is received again is pending again.
  if (!known || known.given) announce(`${approval.tool} needs your approval.`);
  waiting.value = new Map(waiting.value).set(approval.id, { approval });
}

/** A call was answered, or its run was cancelled. */
export function noteAnswer(id: string, given: Given): void {
  const known = waiting.value.get(id);
  // It may arrive twice; the one with a reason is kept.
  if (!known || (known.given && given.reason === undefined)) return;
  if (!known.given) announce(`${known.approval.tool}: ${describeAnswer(given)}`);
  waiting.value = new Map(waiting.value).set(id, { approval: known.approval, given });
}

/** `Approved by bob`. */
export function describeAnswer({ action, by }: Given): string {
  if (!action) return 'No longer pending';
  const who = by === undefined || by === me.value?.user ? 'you' : by;
  return `${action === 'approve' ? 'Approved' : 'Denied'} by ${who}`;
}

/** Removes an answered call. */
export function putAway(id: string): void {
  const rest = new Map(waiting.value);
  rest.delete(id);
  waiting.value = rest;
}

/** Removes calls that were answered during a disconnect. */
function forgetAllBut(ids: ReadonlySet<string>): void {
  for (const [id, { given }] of waiting.value) if (!given && !ids.has(id)) noteAnswer(id, {});
}

/** Reloads runs that ended during a disconnect. */
function lookAgainForAllBut(ids: ReadonlySet<string>): void {
  for (const { runId, state } of runs.value.values()) {
    if (state === 'ended' || ids.has(runId)) continue;
    void callApi<RunView>('GET', `/api/runs/${encodeURIComponent(runId)}`).then(({ ok, status, body }) => {
      if (ok) addRun(body);
      if (status !== 404) return;
      const rest = new Map(runs.value);
      rest.delete(runId);
      runs.value = rest;
    });
  }
}

/** The call differs from the one shown. */
export function takeCurrent(approval: Approval): void {
  waiting.value = new Map(waiting.value).set(approval.id, { approval });
}
