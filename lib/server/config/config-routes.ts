import { ownSession } from '../../chat/own-session.ts';
import { optionsJsonSchema } from '../../config/config-json-schema.ts';
import type { HookConfigs, LiveHooks, SavedConfig } from '../../config/index.ts';
import { configError } from '../../config/index.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import type { Tool } from '../../pipeline/define/tool.ts';
import { conditionOf, etagOf, isFresh } from '../http/preconditions.ts';
import { toIssueBodies } from '../http/problem.ts';
import { refuse } from '../http/refuse.ts';
import { defineRoute, type Route, type RouteCall } from '../http/route.ts';
import { hooksInForce } from '../screens/hooks-in-force.ts';
import { requireScope } from '../security/require-scope.ts';
import { eventStreamHeaders } from '../sse/event-stream-headers.ts';
import * as schemas from './config-schemas.ts';
import { hookChanges, stateOf } from './hook-changes.ts';

/** Dependencies of the configuration routes. */
export interface ConfigDeps {
  readonly configs: HookConfigs;
  readonly live: LiveHooks;
  /** The available tools, for `explain`. */
  readonly tools?: readonly Tool[] | undefined;
}

const query = schemas.scopeQuery;
const revision = { etag: 'Revision in quotes.' };
const condition = { 'If-Match': 'Revision in quotes, or *. A different saved revision returns 412.' };
const saved = { 200: { description: 'Saved.', schema: schemas.savedAnswer, headers: revision } };

export const configRoutes: readonly Route<ConfigDeps>[] = [
  defineRoute({
    method: 'GET',
    path: '/api/hooks/config',
    right: 'read',
    summary: 'Returns the saved configuration as it was sent. Secrets are "[hidden]".',
    query,
    headers: { 'If-None-Match': 'Revision in quotes. The same saved revision returns 304.' },
    responses: {
      200: {
        description: 'The configuration, or { "hooks": {} } if none was saved.',
        schema: schemas.configBody,
        headers: revision,
      },
      304: { description: 'The revision has not changed.' },
    },
    async handle({ c, caller, query: { scope } }, { configs }: ConfigDeps) {
      const read = await configs.read(requireScope(caller, scope));
      // Caches must revalidate, and must not share the response between users.
      const headers = { etag: etagOf(read.revision), 'cache-control': 'private, no-cache', vary: 'authorization' };
      if (isFresh(c.req.raw.headers, read.revision)) return c.body(null, 304, headers);
      return new Response(jsonOf(read.config), { headers: { ...headers, 'content-type': 'application/json' } });
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/hooks/config',
    right: 'configure',
    summary: 'Saves a configuration on top of the configuration files. It applies to runs that start later.',
    description:
      'It can add to the base or tighten it. It cannot name commands, modules, files or variables. "[hidden]" keeps the saved secret.',
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
    summary: 'Validates a configuration without saving it.',
    query,
    body: schemas.configBody,
    responses: { 200: { description: 'Validation errors and notices.', schema: schemas.reportAnswer } },
    async handle(call, { configs }: ConfigDeps) {
      const report = await configs.validate(requireScope(call.caller, call.query.scope), call.text, placeOf(call));
      const { issues: notices } = toIssueBodies(report.notices);
      return call.c.json({ valid: report.issues.length === 0, ...toIssueBodies(report.issues), notices });
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/hooks/config/history',
    right: 'read',
    summary: 'Lists the last ten revisions, newest first.',
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
    summary: 'Restores an earlier revision as a new one.',
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
    summary:
      'Enables or disables a hook of the base or of the saved configuration. A hook that the base enables cannot be disabled.',
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
    summary: 'Lists the kinds of hooks that a configuration may use.',
    responses: { 200: { description: 'Kinds of hooks.', schema: schemas.availableAnswer } },
    handle: ({ c }, { configs }: ConfigDeps) => c.json(configs.available()),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/hooks/available/:name',
    right: 'read',
    summary: 'Returns a kind of hook with its options.',
    responses: {
      200: { description: 'The kind.', schema: schemas.kindAnswer },
      404: { description: 'There is no kind with this name.', schema: schemas.problemAnswer },
    },
    handle({ c, params }, { live }: ConfigDeps) {
      const kind = live.kinds.get(params['name'] as string);
      if (!kind)
        throw refuse(
          404,
          `There is no kind of hook named ${JSON.stringify(params['name'])}. GET /api/hooks/available lists the kinds.`,
        );
      return c.json({ name: kind.name, description: kind.description, options: optionsJsonSchema(kind) });
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/hooks/in-force',
    right: 'read',
    summary: 'Lists the hooks that your next run would use, in running order, and the disabled ones.',
    query,
    responses: { 200: { description: 'The list.', schema: schemas.inForceAnswer } },
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
    summary: 'Dry run of a tool call of the caller. It runs no tool and no program, and shows no approval prompt.',
    query,
    body: schemas.explainBody,
    responses: { 200: { description: 'The decision, and the effect of each hook.', schema: schemas.explainAnswer } },
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
    summary: 'Reloads the configuration files. Invalid files change nothing (422).',
    responses: { 200: { description: 'Whether the files had changed.', schema: schemas.reloadAnswer } },
    async handle({ c }, { live }: ConfigDeps) {
      const change = await live.reload();
      if (change.type === 'refused') throw configError(change.issues);
      const { issues: notices } = toIssueBodies(change.type === 'reloaded' ? change.notices : []);
      return c.json({ status: change.type, generation: change.generation, notices });
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/hooks/state',
    right: 'configure',
    summary: 'Returns the current generation of the configuration files, and the errors of the last reload.',
    responses: { 200: { description: 'The state.', schema: schemas.stateAnswer } },
    handle: ({ c }, { live }: ConfigDeps) => c.json(stateOf(live)),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/hooks/changes',
    right: 'configure',
    summary:
      'Streams the state of the configuration files, now and after each reload, as server-sent events: `reloaded` or `refused`.',
    responses: {
      200: {
        description: 'The state, as the data of each event.',
        contentType: 'text/event-stream',
        schema: schemas.stateAnswer,
      },
      429: { description: 'You have too many open streams.', schema: schemas.problemAnswer },
      503: { description: 'The server has too many open streams.', schema: schemas.problemAnswer },
    },
    handle({ c, caller }, { live }: ConfigDeps) {
      // A stream without a reader would never end.
      return c.req.raw.method === 'HEAD'
        ? c.body(null, 200, eventStreamHeaders)
        : c.body(hookChanges(live, caller.user), 200, eventStreamHeaders);
    },
  }),
];

/** Configurations are read far more often than they change, and an unchanged one is the same object. */
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
