import { setImmediate } from 'node:timers/promises';
import type { Agent, SettledEvent } from 'hookline';
import { createHookConfigs, createLiveHooks, memoryStore } from 'hookline/config';
import { createInbox, type Inbox } from 'hookline/hooks';
import {
  createRuns,
  createServer,
  createTokens,
  type Listening,
  listen,
  memoryRunStore,
  type Right,
  type RunPorts,
  type RunStore,
  type RunsOptions,
  runRoutes,
} from 'hookline/server';
import type { Observable } from 'rxjs';
import type { DocumentStore } from '../../../lib/store/documents/document-store.ts';
import { written } from '../../config/read.ts';
import { type Frame, framesOf } from '../sse-frames.ts';
import { orderTool, storyAgent } from './a-story.ts';

/** A server with its page, on loopback. */
export interface Screen {
  readonly listening: Listening;
  /** Returns the URL of the page for a user, with a new token. */
  urlOf(user?: string, rights?: readonly Right[], approvesFor?: '*'): Promise<string>;
  /** Starts a run of a user, and returns its ID. */
  start(prompt: string, user?: string): Promise<string>;
  /** Resolves to the run that resumes a suspended one. */
  resumedBy(runId: string, user?: string): Promise<string>;
  /** Returns the events of a run up to its end. */
  eventsOf(runId: string, user?: string): Promise<readonly Frame[]>;
  /** Sends a request with the token of such a URL. */
  post(url: string, path: string, body: object): Promise<Response>;
  get(url: string, path: string): Promise<Response>;
  close(): Promise<void>;
}

/** The parts of a screen; the same stores and port represent the same server after a restart. */
export interface ScreenPlan {
  readonly agent?: Agent;
  readonly inbox?: Inbox;
  readonly store?: DocumentStore;
  readonly runStore?: RunStore;
  readonly port?: number;
  readonly hooks?: object;
  readonly start?: RunPorts['start'];
  /** Further options of the runs. */
  readonly runs?: Partial<RunsOptions>;
}

const ALL: readonly Right[] = ['read', 'approve', 'configure', 'run'];

export async function aScreen({
  inbox = createInbox(),
  agent = storyAgent({ inbox }),
  store = memoryStore(),
  port,
  hooks,
  ...plan
}: ScreenPlan = {}): Promise<Screen> {
  const file = written({ 'base.json': { hooks: hooks ?? { secrets: { type: 'security-scan' } } } })('base.json');
  const live = await createLiveHooks({
    files: [file],
    host: { options: { 'dangerous-confirmation': { askBy: 'suspend' } } },
  });
  const configs = createHookConfigs(live, store);
  const tokens = createTokens(store);
  const runs = createRuns({
    start:
      plan.start ??
      (({ prompt, user, sessionId }, signal, interrupt$, given): Observable<SettledEvent> =>
        agent.run(prompt, { userId: user, sessionId, signal, interrupt$, hooks: given })),
    resume: (snapshot, answers, _, signal, interrupt$, given) =>
      agent.resume(snapshot, answers, { signal, interrupt$, hooks: given }),
    store,
    inbox,
    tools: [orderTool()],
    runStore: plan.runStore ?? memoryRunStore(),
    ...plan.runs,
  });
  const server = createServer({ configs, live, tokens, extra: [runRoutes(runs)], page: true });
  const listening = await listen(server, tokens, { ...(port !== undefined && { port }) });
  return {
    listening,
    async urlOf(user = 'alice', rights = ALL, approvesFor) {
      const token = await tokens.issue({ user, rights: [...rights], ...(approvesFor && { approvesFor }) });
      return `${listening.url}/#token=${token}`;
    },
    start: async (prompt, user = 'alice') => (await runs.start(user, { prompt })).runId,
    async resumedBy(runId, user = 'alice') {
      for (;;) {
        const { resumedBy } = await runs.find(user, runId);
        if (resumedBy !== undefined) return resumedBy;
        await setImmediate();
      }
    },
    async eventsOf(runId, user = 'alice') {
      const stream = await runs.events(user, runId);
      return framesOf(await new Response(stream).text());
    },
    post: (url, path, body) =>
      fetch(`${listening.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${url.split('token=')[1]}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    get: (url, path) =>
      fetch(`${listening.url}${path}`, { headers: { authorization: `Bearer ${url.split('token=')[1]}` } }),
    async close() {
      await runs.drain(0);
      await live.close();
      await listening.close(0);
    },
  };
}
