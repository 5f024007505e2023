import { HooklineError } from '../../errors.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import type { Logger } from '../../pipeline/logger.ts';
import type {
  DocumentKey,
  DocumentStore,
  StoredDocument,
  WriteCondition,
} from '../../store/documents/document-store.ts';
import type { ConfigFile, Findings } from '../dialects/dialect.ts';
import type { ExplainRequest, Explanation } from '../explain/explain-call.ts';
import { explainConfigured } from '../explain/explain-configured.ts';
import { type ConfigIssue, type ConfigNotice, configError, issueAt, issuesOf } from '../issues/config-issue.ts';
import type { HookLease } from '../live/generation.ts';
import type { LiveHooks } from '../live/live-hooks.ts';
import { parseSource } from '../source/parse-source.ts';
import type { ConfigPath } from '../source/source.ts';
import { HIDDEN, hideSecrets } from './hidden.ts';
import { lastGoodLayers } from './last-good-layers.ts';
import { readLayer } from './read-layer.ts';
import { switchedLayer } from './switched-layer.ts';
import { unhideSecrets } from './unhide-secrets.ts';

/** The owner of a saved configuration: a scope (a team, a project) or a user. A user's configuration applies over that of the scope. */
export interface LayerOwner {
  readonly scope?: string;
  readonly user?: string;
}

/** A saved configuration. Secrets are hidden in it. */
export interface SavedConfig {
  /** 0 if nothing was saved yet. */
  readonly revision: number;
  readonly savedAt?: string;
  readonly config: JsonValue;
}

/** The issues and notices of a configuration that was validated but not saved. */
export interface ConfigReport {
  readonly issues: readonly ConfigIssue[];
  readonly notices: readonly ConfigNotice[];
}

/**
 * Hooks for many users. The files apply to all users, and the saved configurations of scopes and users apply over them. All methods except
 * `available` may fail with `STORE_FAILED`.
 */
export interface HookConfigs {
  available(): Readonly<
    Record<'builtin' | 'custom', readonly { readonly name: string; readonly description: string }[]>
  >;
  read(owner: LayerOwner): Promise<SavedConfig>;
  /** Validates a configuration (JSON text) without saving it. Issues name `place` instead of a file. */
  validate(owner: LayerOwner, text: string, place: string): Promise<ConfigReport>;
  /** Saves a configuration for future runs. Throws `CONFIG_INVALID` if it has issues, `STORE_CONFLICT` if the revision has changed. */
  save(owner: LayerOwner, text: string, place: string, condition?: WriteCondition): Promise<SavedConfig>;
  /** Returns the last ten revisions, newest first. */
  history(owner: LayerOwner): Promise<readonly SavedConfig[]>;
  /** Saves an old revision again. Throws `INPUT_INVALID` if the revision does not exist. */
  rollback(owner: LayerOwner, revision: number, condition?: WriteCondition): Promise<SavedConfig>;
  /** Enables or disables a hook of the base or of the saved configuration. */
  switch(owner: LayerOwner, hook: string, enabled: boolean, condition?: WriteCondition): Promise<SavedConfig>;
  /** Returns the pipeline for a new run. */
  lease(owner: LayerOwner): Promise<HookLease>;
  explain(owner: LayerOwner, request: ExplainRequest & { readonly live?: boolean }): Promise<Explanation>;
}

/** Maximum number of configurations cached without their secrets. */
const MOST_HIDDEN = 100;

/** Applies the saved configurations of a store over live hooks. A rejected one is logged, and runs keep the last good one. */
export function createHookConfigs(
  live: LiveHooks,
  store: DocumentStore,
  { log }: { readonly log?: Logger } = {},
): HookConfigs {
  const lastGood = lastGoodLayers(log);
  // Finding the secrets of a configuration takes many times as long as reading it.
  const hidden = new Map<string, JsonValue>();

  async function storedOf({ scope, user }: LayerOwner): Promise<readonly StoredDocument[]> {
    const owners = [...(scope === undefined ? [] : [{ scope }]), ...(user === undefined ? [] : [{ user }])];
    const stored = await Promise.all(owners.map((owner) => store.read(keyOf(owner))));
    return stored.filter((one) => one !== undefined);
  }

  /** Returns stored layers, checked again, because the base may have changed since they were saved. */
  function layersIn(stored: readonly StoredDocument[]): readonly ConfigFile[] {
    const layers: ConfigFile[] = [];
    for (const { key, value } of stored) {
      const findings: Findings = { issues: [], notices: [] };
      const file = parse(JSON.stringify(value), placeOf(ownerOf(key)), layers, findings);
      if (findings.issues.length > 0 || !file) throw configError(findings.issues);
      layers.push(file);
    }
    return layers;
  }

  /** Leases the layers as the base that is current at that time allows them. */
  async function leaseOf(owner: LayerOwner): Promise<HookLease> {
    for (;;) {
      const { generation } = live;
      const stored = await storedOf(owner);
      if (live.generation !== generation) continue;
      const { scope = null, user = null } = owner;
      return lastGood.apply(JSON.stringify([scope, user]), stored, async (layers) => live.lease(layersIn(layers)));
    }
  }

  function parse(
    text: string,
    place: string,
    below: readonly ConfigFile[],
    findings: Findings,
  ): ConfigFile | undefined {
    const base = { config: live.compile(below, { issues: [], notices: [] }), kinds: live.kinds };
    const source = parseSource(place, text, findings.issues, '.json');
    const file = readLayer(source, base, findings);
    if (!file) return undefined;
    const compiled: Findings = { issues: [], notices: findings.notices };
    live.compile([...below, file], compiled);
    // Fields that are not allowed here need not also be valid.
    const reported = new Set(findings.issues.map(({ line, column }) => `${line}:${column}`));
    findings.issues.push(...compiled.issues.filter(({ line, column }) => !reported.has(`${line}:${column}`)));
    findings.issues.sort((a, b) => a.line - b.line || a.column - b.column);
    return file;
  }

  /** Returns the layers below the layer of an owner. */
  async function belowOf({ scope, user }: LayerOwner): Promise<readonly ConfigFile[]> {
    return user !== undefined && scope !== undefined ? layersIn(await storedOf({ scope })) : [];
  }

  /** Returns the text with the saved secrets in place of the placeholders. */
  function withSecrets(text: string, place: string, before: JsonValue | undefined, { issues }: Findings): string {
    if (!text.includes(HIDDEN)) return text;
    const source = parseSource(place, text, [], '.json');
    if (source.value === undefined) return text;
    const refuse = (path: ConfigPath): void => {
      issues.push(issueAt(source, path, '"[hidden]" has no saved secret here; write the value.'));
    };
    return JSON.stringify(unhideSecrets(source.value as JsonValue, before, refuse));
  }

  async function check(owner: LayerOwner, text: string, place: string): Promise<{ file?: ConfigFile } & Findings> {
    const findings: Findings = { issues: [], notices: [] };
    const before = await store.read(keyOf(owner));
    const below = await belowOf(owner);
    const file = parse(withSecrets(text, place, before?.value, findings), place, below, findings);
    if (findings.issues.length > 0 || !file) return findings;
    // Some issues appear only when the hooks are created.
    await live.probe([...below, file]).catch((thrown: unknown) => {
      const issues = issuesOf(thrown);
      if (!issues) throw thrown;
      findings.issues.push(...issues);
    });
    return { file, ...findings };
  }

  async function save(
    owner: LayerOwner,
    text: string,
    place: string,
    condition?: WriteCondition,
  ): Promise<SavedConfig> {
    const { file, issues } = await check(owner, text, place);
    if (issues.length > 0 || !file) throw configError(issues);
    return shown(await store.write(keyOf(owner), file.source.value as JsonValue, condition));
  }

  function shown({ revision, savedAt, value }: StoredDocument): SavedConfig {
    const text = JSON.stringify(value);
    const known = hidden.get(text);
    if (known !== undefined) return { revision, savedAt, config: known };
    const file = parse(text, 'saved', [], { issues: [], notices: [] });
    // An unreadable configuration might contain anything.
    const config = file ? hideSecrets(file, live.kinds) : {};
    hidden.set(text, config);
    const [oldest] = hidden.keys();
    if (hidden.size > MOST_HIDDEN && oldest !== undefined) hidden.delete(oldest);
    return { revision, savedAt, config };
  }

  return {
    available() {
      const kinds = [...live.kinds.values()].map(({ name, description, origin }) => ({ name, description, origin }));
      const of = (wanted: string) => kinds.flatMap(({ origin, ...kind }) => (origin === wanted ? [kind] : []));
      return { builtin: of('builtin'), custom: of('custom') };
    },
    async read(owner) {
      const stored = await store.read(keyOf(owner));
      return stored ? shown(stored) : { revision: 0, config: { hooks: {} } };
    },
    async validate(owner, text, place) {
      const { issues, notices } = await check(owner, text, place);
      return { issues, notices };
    },
    save,
    async history(owner) {
      return (await store.history(keyOf(owner))).map(shown);
    },
    async rollback(owner, revision, condition) {
      const history = await store.history(keyOf(owner));
      const old = history.find((one) => one.revision === revision);
      if (old) return save(owner, JSON.stringify(old.value), placeOf(owner), condition);
      const there = history.map((one) => one.revision).join(', ');
      throw new HooklineError('INPUT_INVALID', `There is no revision ${revision}. Revisions: ${there || 'none'}.`);
    },
    async switch(owner, hook, enabled, condition) {
      const stored = await store.read(keyOf(owner));
      const findings: Findings = { issues: [], notices: [] };
      const below = await belowOf(owner);
      const text = JSON.stringify(stored?.value ?? { hooks: {} });
      const file = parse(text, placeOf(owner), below, findings);
      if (!file) throw configError(findings.issues);
      const base = live.compile(below, { issues: [], notices: [] });
      const value = switchedLayer(file, base, hook, enabled);
      return save(owner, JSON.stringify(value), placeOf(owner), condition ?? { ifRevision: stored?.revision ?? 0 });
    },
    async lease(owner) {
      return leaseOf(owner);
    },
    async explain(owner, request) {
      const lease = await leaseOf(owner);
      try {
        return await explainConfigured(lease, request);
      } finally {
        lease.release();
      }
    },
  };
}

function keyOf({ scope, user }: LayerOwner): DocumentKey {
  if (user !== undefined) return ['configs', 'user', user];
  if (scope !== undefined) return ['configs', 'scope', scope];
  throw new HooklineError('INPUT_INVALID', 'A configuration belongs to a user or a scope; pass one of them.');
}

function ownerOf([, kind, name = '']: DocumentKey): LayerOwner {
  return kind === 'user' ? { user: name } : { scope: name };
}

function placeOf({ scope, user }: LayerOwner): string {
  return user === undefined ? `saved for scope ${scope}` : `saved for user ${user}`;
}
