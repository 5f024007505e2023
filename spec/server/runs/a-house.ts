import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { Observable } from 'rxjs';
import {
  type Agent,
  createAgent,
  createPipeline,
  defineHook,
  type Hook,
  type Model,
  memoryTranscript,
  type PipelineOptions,
  type SettledEvent,
  type Tool,
  verdict,
} from '../../../lib/index.ts';
import { problemOf } from '../../../lib/server/http/problem.ts';
import { refusalHeaders } from '../../../lib/server/http/refuse.ts';
import { createRuns } from '../../../lib/server/runs/create-runs.ts';
import { runRoutes } from '../../../lib/server/runs/run-routes.ts';
import type { Runs, RunsOptions } from '../../../lib/server/runs/runs.ts';
import { type Caller, rights, type ServerEnv } from '../../../lib/server/security/caller.ts';
import type { DocumentStore } from '../../../lib/store/documents/document-store.ts';
import { memoryStore } from '../../../lib/store/documents/memory-store.ts';
import { scriptedModel, scriptedTool } from '../../../lib/testing/index.ts';

/** The parts of a server in a spec. */
export interface Plan
  extends Partial<
    Pick<
      RunsOptions,
      | 'store'
      | 'runStore'
      | 'limits'
      | 'start'
      | 'resume'
      | 'recover'
      | 'log'
      | 'inbox'
      | 'prices'
      | 'takeOver'
      | 'place'
      | 'activities'
    >
  > {
  /** Whether the server knows the tools of the agent. */
  readonly knowsTools?: boolean;
  readonly model?: Model;
  readonly hooks?: readonly Hook[];
  readonly pipeline?: PipelineOptions;
  readonly tools?: readonly Tool[];
  readonly transcript?: ReturnType<typeof memoryTranscript>;
}

/** Creates an approver that asks for every call. */
export const asking = (name = 'ask') => defineHook({ name, approve: () => verdict.suspend('Really?') });

/** Creates a model that calls `pay` one or several times, then replies "done". */
export const paying = (...amounts: readonly number[]) =>
  scriptedModel([
    { toolCalls: (amounts.length > 0 ? amounts : [1]).map((amount) => ({ name: 'pay', input: { amount } })) },
    { text: 'done' },
    { text: 'more' },
  ]);

/** Creates runs behind their routes. Each request names its user by `x-user`, and the rights by `x-rights` (default: all but `runs:read`). */
export function aHouse(plan: Plan = {}) {
  const pay = scriptedTool({ name: 'pay', result: 'paid' });
  const agent = agentOf(plan, pay);
  const store: DocumentStore = plan.store ?? memoryStore();
  const runs: Runs = createRuns({
    start: (
      { prompt, user, sessionId, metadata, maxIterations },
      signal,
      interrupt$,
      given,
    ): Observable<SettledEvent> =>
      agent.run(prompt, {
        userId: user,
        sessionId,
        signal,
        interrupt$,
        hooks: given,
        ...(metadata && { metadata }),
        ...(maxIterations !== undefined && { maxIterations }),
      }),
    resume: (snapshot, answers, _, signal, interrupt$, given) =>
      agent.resume(snapshot, answers, { signal, interrupt$, hooks: given }),
    recover:
      plan.recover ??
      (({ journal, writeAhead }, signal, interrupt$, given) =>
        agent.recover(journal, { writeAhead, signal, interrupt$, hooks: given })),
    store,
    ...(plan.place && { place: plan.place }),
    ...(plan.activities && { activities: plan.activities }),
    ...(plan.transcript && { transcript: plan.transcript }),
    ...(plan.runStore && { runStore: plan.runStore }),
    ...(plan.takeOver && { takeOver: true }),
    ...(plan.log && { log: plan.log }),
    ...(plan.prices && { prices: plan.prices }),
    ...(plan.inbox && { inbox: plan.inbox }),
    ...(plan.knowsTools && { tools: plan.tools ?? [pay] }),
    ...(plan.limits && { limits: plan.limits }),
    ...(plan.start && { start: plan.start }),
    ...(plan.resume && { resume: plan.resume }),
  });
  const app = appOf(runs);
  async function send(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) {
    const answer = await app.request(path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const type = answer.headers.get('content-type') ?? '';
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      json: /json(?!l)/.test(type) ? JSON.parse(text) : undefined,
    };
  }
  const post = (path: string, body: unknown, headers?: Readonly<Record<string, string>>) =>
    send('POST', path, body, headers);
  const get = (path: string, headers?: Readonly<Record<string, string>>) => send('GET', path, undefined, headers);
  return { runs, app, agent, store, pay, post, get };
}

export function appOf(runs: Runs): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  app.use(async (c, next) => {
    const user = c.req.header('x-user') ?? 'alice';
    const wanted = c.req.header('x-rights')?.split(',');
    const caller: Caller = {
      user,
      rights: rights.filter((right) => wanted?.includes(right) ?? right !== 'runs:read'),
      scopes: ['team'],
      ...(c.req.header('x-approves-for') && { approvesFor: approvesFor(c.req.header('x-approves-for')!) }),
      ...(c.req.header('x-token') && { token: c.req.header('x-token')! }),
    };
    c.set('caller', caller);
    c.set('address', '127.0.0.1');
    await next();
  });
  runRoutes(runs).mount(app);
  app.onError((thrown) => {
    if (thrown instanceof HTTPException) {
      const error = { code: `HTTP_${thrown.status}`, message: thrown.message };
      return Response.json({ error }, { status: thrown.status, headers: refusalHeaders(thrown) });
    }
    const { status, problem } = problemOf(thrown);
    return Response.json(problem, { status });
  });
  return app;
}

function agentOf(
  { model = scriptedModel(['hello']), hooks = [], pipeline = {}, tools, transcript }: Plan,
  pay: Tool,
): Agent {
  return createAgent({
    name: 'a',
    model,
    tools: tools ?? [pay],
    pipeline: createPipeline(hooks, pipeline),
    transcript: transcript ?? memoryTranscript(),
  });
}

function approvesFor(text: string): NonNullable<Caller['approvesFor']> {
  return text === '*' ? '*' : text.split(',');
}
