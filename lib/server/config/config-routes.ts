import { ownSession } from '../../chat/own-session.ts';
import { optionsJsonSchema } from '../../config/config-json-schema.ts';
import type { HookConfigs, LiveHooks, SavedConfig } from '../../config/index.ts';
import { configError } from '../../config/index.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import type { Tool } from '../../pipeline/define/tool.ts';
import { conditionOf, etagOf, isFresh } from '../http/preconditions.ts';
import { toldFaults } from '../http/problem.ts';
import { refuse } from '../http/refuse.ts';
import { defineRoute, type Route, type RouteCall } from '../http/route.ts';
import { requireScope } from '../require-scope.ts';
import { hooksInForce } from '../screens/hooks-in-force.ts';
import { eventStreamHeaders } from '../sse/event-stream-headers.ts';
import * as schemas from './config-schemas.ts';
import { hookChanges, stateOf } from './hook-changes.ts';

/** What the routes of configurations work on. */
export interface ConfigDeps {
  readonly configs: HookConfigs;
  readonly live: LiveHooks;
  /** For `explain`: the tools that there are. */
  readonly tools?: readonly Tool[] | undefined;
}

const query = schemas.scopeQuery;
const revision = { etag: 'The revision, in quotes.' };
const condition = { 'If-Match': 'A revision in quotes, or *: 412 where the saved one is another.' };
const saved = { 200: { description: 'Saved.', schema: schemas.savedAnswer, headers: revision } };

export const configRoutes: readonly Route<ConfigDeps>[] = [
  defineRoute({
    method: 'GET',
    path: '/api/hooks/config',
    right: 'read',
    summary: 'The saved configuration, in the form in which it was given; secrets are "[hidden]".',
    query,
    headers: { 'If-None-Match': 'A revision in quotes: 304 where the saved one is the same.' },
    responses: {
      200: {
        description: 'The configuration; { "hooks": {} } where none was saved.',
        schema: schemas.configBody,
        headers: revision,
      },
      304: { description: 'It is that revision still.' },
    },
    async handle({ c, caller, query: { scope } }, { configs }: ConfigDeps) {
      const read = await configs.read(requireScope(caller, scope));
      // Kept by nobody without asking again; what one user sees is not another's.
      const headers = { etag: etagOf(read.revision), 'cache-control': 'private, no-cache', vary: 'authorization' };
      if (isFresh(c.req.raw.headers, read.revision)) return c.body(null, 304, headers);
      return new Response(jsonOf(read.config), { headers: { ...headers, 'content-type': 'application/json' } });
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/hooks/config',
    right: 'configure',
    summary: 'Saves a configuration over that of the files; runs that begin from now on have it.',
    description:
      'It adds to the base or tightens it. It names no command, module, file or variable. "[hidden]" keeps the secret that was there.',
    query,
    body: schemas.configBody,
    headers: condition,
    responses: saved,
    async handle(call, { configs }: ConfigDeps) {
      const owner = requireScope(call.caller, call.query.scope);
      return answer(call, await configs.save(owner, call.text, placeOf(call), await ifRevision(call, configs)));
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/hooks/config/validate',
    right: 'configure',
    summary: 'Looks at a configuration as if it were to be saved.',
    query,
    body: schemas.configBody,
    responses: { 200: { description: 'What is to be said of it.', schema: schemas.reportAnswer } },
    async handle(call, { configs }: ConfigDeps) {
      const report = await configs.validate(requireScope(call.caller, call.query.scope), call.text, placeOf(call));
      const { faults: notices } = toldFaults(report.notices);
      return call.c.json({ valid: report.faults.length === 0, ...toldFaults(report.faults), notices });
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/hooks/config/history',
    right: 'read',
    summary: 'The last ten revisions, the newest first.',
    query,
    responses: { 200: { description: 'Revisions.', schema: schemas.historyAnswer } },
    async handle({ c, caller, query: { scope } }, { configs }: ConfigDeps) {
      return c.json(await configs.history(requireScope(caller, scope)));
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/hooks/config/rollback',
    right: 'configure',
    summary: 'Saves an old revision once more.',
    query,
    body: schemas.rollbackBody,
    headers: condition,
    responses: saved,
    async handle(call, { configs }: ConfigDeps) {
      const owner = requireScope(call.caller, call.query.scope);
      return answer(call, await configs.rollback(owner, call.body.revision, await ifRevision(call, configs)));
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/hooks/:name/switch',
    right: 'configure',
    summary: 'Switches a hook of the base or of the saved configuration on or off. What the base has on stays on.',
    query,
    body: schemas.switchBody,
    headers: condition,
    responses: saved,
    async handle(call, { configs }: ConfigDeps) {
      const owner = requireScope(call.caller, call.query.scope);
      const { name = '' } = call.params;
      return answer(call, await configs.switch(owner, name, call.body.enabled, await ifRevision(call, configs)));
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/hooks/available',
    right: 'read',
    summary: 'The kinds of hooks that a configuration may name.',
    responses: { 200: { description: 'Kinds of hooks.', schema: schemas.availableAnswer } },
    handle: ({ c }, { configs }: ConfigDeps) => c.json(configs.available()),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/hooks/available/:name',
    right: 'read',
    summary: 'A kind of hooks with its options.',
    responses: {
      200: { description: 'The kind.', schema: schemas.kindAnswer },
      404: { description: 'There is none of that name.', schema: schemas.problemAnswer },
    },
    handle({ c, params }, { live }: ConfigDeps) {
      const kind = live.kinds.get(params['name'] as string);
      if (!kind)
        throw refuse(
          404,
          `There is no kind of hooks ${JSON.stringify(params['name'])}. GET /api/hooks/available lists them.`,
        );
      return c.json({ name: kind.name, description: kind.description, options: optionsJsonSchema(kind) });
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/hooks/in-force',
    right: 'read',
    summary: 'The hooks that a run of yours would begin with now, in running order, and those that are off.',
    query,
    responses: { 200: { description: 'All of them.', schema: schemas.inForceAnswer } },
    async handle({ c, caller, query: { scope } }, { configs, live }: ConfigDeps) {
      const lease = await configs.lease({ ...requireScope(caller, scope), user: caller.user });
      try {
        return c.json({ hooks: hooksInForce(lease, live.config, caller.rights.includes('configure')) });
      } finally {
        lease.release();
      }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/hooks/explain',
    right: 'read',
    summary: 'What would become of a tool call of the caller. Nothing is executed, nobody is asked, no program is run.',
    query,
    body: schemas.explainBody,
    responses: { 200: { description: 'The decision, and what every hook did.', schema: schemas.explainAnswer } },
    async handle({ c, caller, query: { scope }, body }, { configs, tools }: ConfigDeps) {
      const owner = { ...requireScope(caller, scope), user: caller.user };
      const { sessionId, ...call } = body;
      const session = sessionId === undefined ? undefined : ownSession(caller.user, sessionId);
      return c.json(await configs.explain(owner, { ...call, user: caller.user, session, tools }));
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/hooks/reload',
    right: 'configure',
    summary: 'Reads the configuration files again. Where anything is wrong with them nothing changes (422).',
    responses: { 200: { description: 'Whether there was anything new.', schema: schemas.reloadAnswer } },
    async handle({ c }, { live }: ConfigDeps) {
      const change = await live.reload();
      if (change.type === 'refused') throw configError(change.faults);
      const { faults: notices } = toldFaults(change.type === 'reloaded' ? change.notices : []);
      return c.json({ status: change.type, generation: change.generation, notices });
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/hooks/state',
    right: 'configure',
    summary:
      'Which generation of the configuration files serves runs that begin now, and what was wrong at the last reload.',
    responses: { 200: { description: 'The state.', schema: schemas.stateAnswer } },
    handle: ({ c }, { live }: ConfigDeps) => c.json(stateOf(live)),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/hooks/changes',
    right: 'configure',
    summary:
      'The state of the configuration files now and after every reload, as server-sent events: `reloaded` or `refused`.',
    responses: {
      200: {
        description: 'States: the data of each event.',
        contentType: 'text/event-stream',
        schema: schemas.stateAnswer,
      },
      429: { description: 'You have too many streams.', schema: schemas.problemAnswer },
      503: { description: 'There are too many streams.', schema: schemas.problemAnswer },
    },
    handle({ c, caller }, { live }: ConfigDeps) {
      // A stream that nobody reads would never end.
      return c.req.raw.method === 'HEAD'
        ? c.body(null, 200, eventStreamHeaders)
        : c.body(hookChanges(live, caller.user), 200, eventStreamHeaders);
    },
  }),
];

/** Configurations are read far more often than they change, and what was read before is the same object. */
const texts = new WeakMap<object, string>();

function jsonOf(config: JsonValue): string {
  const holder = Object(config) as object;
  const text = texts.get(holder) ?? JSON.stringify(config);
  texts.set(holder, text);
  return text;
}

type Call = RouteCall<unknown, { readonly scope?: string | undefined }>;

const placeOf = ({ c }: Call) => `${c.req.method} ${c.req.path}`;

async function ifRevision({ c, caller, query: { scope } }: Call, configs: HookConfigs) {
  const revision = async () => (await configs.read(requireScope(caller, scope))).revision;
  const expected = await conditionOf(c.req.raw.headers, revision);
  return expected === undefined ? undefined : { ifRevision: expected };
}

function answer({ c }: Call, { revision }: SavedConfig): Response {
  return c.json({ status: 'ok', revision }, 200, { etag: etagOf(revision) });
}
