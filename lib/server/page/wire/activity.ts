import { batch, computed, signal } from '@preact/signals';
import type { Approval } from '../../approvals/approval.ts';
import type { RunView } from '../../runs/run-view.ts';
import { announce } from '../ui/announce.tsx';
import { callApi } from './call-api.ts';
import { follow } from './follow.ts';

/** Who said what to a call. */
export interface Given {
  readonly action?: 'approve' | 'deny';
  readonly by?: string;
  readonly reason?: string;
}

/** A call that waits for an answer, or was given one while it was looked at. */
export interface Waiting {
  readonly approval: Approval;
  readonly given?: Given;
}

/** Who looks at the page, and what the token allows. */
export interface Me {
  readonly user: string;
  readonly rights: readonly string[];
}

export const me = signal<Me | undefined>(undefined);
export const runs = signal<ReadonlyMap<string, RunView>>(new Map());
export const waiting = signal<ReadonlyMap<string, Waiting>>(new Map());
/** How the page stands with the server: `none` where it has no runs, but shows recordings. */
export const connection = signal<'connecting' | 'open' | 'lost' | 'none'>('connecting');

/** The calls that wait, those that expire first on top. */
export const open = computed(() =>
  [...waiting.value.values()]
    .filter(({ given }) => !given)
    .sort((a, b) => a.approval.expiresAt.localeCompare(b.approval.expiresAt)),
);

export function may(right: string): boolean {
  return me.value?.rights.includes(right) ?? false;
}

/** Follows what happens to runs and approvals, until it is stopped. */
export function followActivity(): () => void {
  /** The runs and calls that have been told since the connection was opened. */
  let told: Set<string> | undefined;
  void callApi<Me>('GET', '/api/me').then(({ ok, body }) => {
    if (ok) me.value = body;
  });
  return follow('/api/activity', {
    opened() {
      told = new Set();
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
            told?.add(value.runId);
            addRun(value);
          } else if (event === 'approval') {
            told?.add(value.id);
            addWaiting(value);
          } else if (event === 'answered') noteAnswer(value.id, value);
          else if (event === 'ready') {
            forgetAllBut(told ?? new Set());
            lookAgainForAllBut(told ?? new Set());
            told = undefined;
          }
        }
      }),
  });
}

export function addRun(view: RunView): void {
  runs.value = new Map(runs.value).set(view.runId, view);
}

function addWaiting(approval: Approval): void {
  const known = waiting.value.get(approval.id);
  // Told again, it waits again.
  if (!known || known.given) announce(`${approval.tool} needs your approval.`);
  waiting.value = new Map(waiting.value).set(approval.id, { approval });
}

/** Somebody has answered, or the run was given up. */
export function noteAnswer(id: string, given: Given): void {
  const known = waiting.value.get(id);
  // It may be heard of twice; the one that knows why is kept.
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

/** Puts an answered call away. */
export function putAway(id: string): void {
  const rest = new Map(waiting.value);
  rest.delete(id);
  waiting.value = rest;
}

/** While the page was away, they have been answered. */
function forgetAllBut(ids: ReadonlySet<string>): void {
  for (const [id, { given }] of waiting.value) if (!given && !ids.has(id)) noteAnswer(id, {});
}

/** While the page was away, they have ended. */
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

/** The call is another one than was shown. */
export function takeCurrent(approval: Approval): void {
  waiting.value = new Map(waiting.value).set(approval.id, { approval });
}
