import { HooklineError } from '../../errors.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import type {
  DocumentKey,
  DocumentStore,
  StoredDocument,
  WriteCondition,
} from '../../store/documents/document-store.ts';
import type { ConfigFile, Findings } from '../dialects/dialect.ts';
import type { ExplainRequest, Explanation } from '../explain/explain-call.ts';
import { explainConfigured } from '../explain/explain-configured.ts';
import { type ConfigFault, type ConfigNotice, configError, faultAt, faultsOf } from '../faults/fault.ts';
import type { HookLease } from '../live/generation.ts';
import type { LiveHooks } from '../live/live-hooks.ts';
import { parseSource } from '../source/parse-source.ts';
import type { ConfigPath } from '../source/source.ts';
import { HIDDEN, hideSecrets } from './hidden.ts';
import { readLayer } from './read-layer.ts';
import { switchedLayer } from './switched-layer.ts';
import { unhideSecrets } from './unhide-secrets.ts';

/** Whose configuration lies over the files: that of a scope (a team, a project), or of a user; a user's lies over that of the scope. */
export interface LayerOwner {
  readonly scope?: string;
  readonly user?: string;
}

/** A saved configuration. Secrets are hidden in it. */
export interface SavedConfig {
  /** 0 where nothing was saved yet. */
  readonly revision: number;
  readonly savedAt?: string;
  readonly config: JsonValue;
}

/** What is to be said of a configuration that was not saved. */
export interface ConfigReport {
  readonly faults: readonly ConfigFault[];
  readonly notices: readonly ConfigNotice[];
}

/** Hooks of many users: the files' for all, and over them what was saved for scopes and users. All methods but `available` may fail with `STORE_FAILED`. */
export interface HookConfigs {
  available(): Readonly<
    Record<'builtin' | 'custom', readonly { readonly name: string; readonly description: string }[]>
  >;
  read(owner: LayerOwner): Promise<SavedConfig>;
  /** Looks at a configuration (JSON text) as if it were to be saved. `place` stands for the file in faults. */
  validate(owner: LayerOwner, text: string, place: string): Promise<ConfigReport>;
  /** Saves it for the next runs; faults are `CONFIG_INVALID`, a changed revision `STORE_CONFLICT`. */
  save(owner: LayerOwner, text: string, place: string, condition?: WriteCondition): Promise<SavedConfig>;
  /** The last ten, the newest first. */
  history(owner: LayerOwner): Promise<readonly SavedConfig[]>;
  /** Saves an old revision once more; one that is not there is `INPUT_INVALID`. */
  rollback(owner: LayerOwner, revision: number, condition?: WriteCondition): Promise<SavedConfig>;
  /** Switches a hook of the base or of the saved configuration on or off. */
  switch(owner: LayerOwner, hook: string, enabled: boolean, condition?: WriteCondition): Promise<SavedConfig>;
  /** The pipeline for a run that begins now. */
  lease(owner: LayerOwner): Promise<HookLease>;
  explain(owner: LayerOwner, request: ExplainRequest & { readonly live?: boolean }): Promise<Explanation>;
}

/** Configurations whose form without secrets is kept, at most. */
const MOST_HIDDEN = 100;

/** Lays what a store keeps over live hooks. */
export function createHookConfigs(live: LiveHooks, store: DocumentStore): HookConfigs {
  // To find the secrets of a configuration takes many times as long as to read it.
  const hidden = new Map<string, JsonValue>();

  /** The layers of an owner, checked again: the base may have changed since they were saved. */
  async function layersOf({ scope, user }: LayerOwner): Promise<readonly ConfigFile[]> {
    const layers: ConfigFile[] = [];
    for (const owner of [...(scope === undefined ? [] : [{ scope }]), ...(user === undefined ? [] : [{ user }])]) {
      const stored = await store.read(keyOf(owner));
      if (!stored) continue;
      const findings: Findings = { faults: [], notices: [] };
      const file = parse(JSON.stringify(stored.value), placeOf(owner), layers, findings);
      if (findings.faults.length > 0 || !file) throw configError(findings.faults);
      layers.push(file);
    }
    return layers;
  }

  /** The layers as the configuration that is current when they are laid over it allows them. */
  async function leaseOf(owner: LayerOwner): Promise<HookLease> {
    for (;;) {
      const { generation } = live;
      const layers = await layersOf(owner);
      if (live.generation === generation) return live.lease(layers);
    }
  }

  function parse(
    text: string,
    place: string,
    below: readonly ConfigFile[],
    findings: Findings,
  ): ConfigFile | undefined {
    const base = { config: live.compile(below, { faults: [], notices: [] }), kinds: live.kinds };
    const source = parseSource(place, text, findings.faults, '.json');
    const file = readLayer(source, base, findings);
    if (!file) return undefined;
    const compiled: Findings = { faults: [], notices: findings.notices };
    live.compile([...below, file], compiled);
    // What may not be said here at all need not be right besides.
    const told = new Set(findings.faults.map(({ line, column }) => `${line}:${column}`));
    findings.faults.push(...compiled.faults.filter(({ line, column }) => !told.has(`${line}:${column}`)));
    findings.faults.sort((a, b) => a.line - b.line || a.column - b.column);
    return file;
  }

  /** What lies below the layer of an owner. */
  function belowOf({ scope, user }: LayerOwner): Promise<readonly ConfigFile[]> {
    return user !== undefined && scope !== undefined ? layersOf({ scope }) : Promise.resolve([]);
  }

  /** The text with the saved secrets where it says that they are hidden. */
  function withSecrets(text: string, place: string, before: JsonValue | undefined, { faults }: Findings): string {
    if (!text.includes(HIDDEN)) return text;
    const source = parseSource(place, text, [], '.json');
    if (source.value === undefined) return text;
    const refuse = (path: ConfigPath): void => {
      faults.push(faultAt(source, path, 'no secret is saved that is hidden here; write the value itself.'));
    };
    return JSON.stringify(unhideSecrets(source.value as JsonValue, before, refuse));
  }

  async function check(owner: LayerOwner, text: string, place: string): Promise<{ file?: ConfigFile } & Findings> {
    const findings: Findings = { faults: [], notices: [] };
    const before = await store.read(keyOf(owner));
    const below = await belowOf(owner);
    const file = parse(withSecrets(text, place, before?.value, findings), place, below, findings);
    if (findings.faults.length > 0 || !file) return findings;
    // Only making the hooks tells all.
    await live.probe([...below, file]).catch((thrown: unknown) => {
      const faults = faultsOf(thrown);
      if (!faults) throw thrown;
      findings.faults.push(...faults);
    });
    return { file, ...findings };
  }

  async function save(
    owner: LayerOwner,
    text: string,
    place: string,
    condition?: WriteCondition,
  ): Promise<SavedConfig> {
    const { file, faults } = await check(owner, text, place);
    if (faults.length > 0 || !file) throw configError(faults);
    return shown(await store.write(keyOf(owner), file.source.value as JsonValue, condition));
  }

  function shown({ revision, savedAt, value }: StoredDocument): SavedConfig {
    const text = JSON.stringify(value);
    const known = hidden.get(text);
    if (known !== undefined) return { revision, savedAt, config: known };
    const file = parse(text, 'saved', [], { faults: [], notices: [] });
    // What cannot be read any more might hold anything.
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
      const { faults, notices } = await check(owner, text, place);
      return { faults, notices };
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
      throw new HooklineError('INPUT_INVALID', `There is no revision ${revision}. There are: ${there || 'none'}.`);
    },
    async switch(owner, hook, enabled, condition) {
      const stored = await store.read(keyOf(owner));
      const findings: Findings = { faults: [], notices: [] };
      const below = await belowOf(owner);
      const text = JSON.stringify(stored?.value ?? { hooks: {} });
      const file = parse(text, placeOf(owner), below, findings);
      if (!file) throw configError(findings.faults);
      const base = live.compile(below, { faults: [], notices: [] });
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
  throw new HooklineError('INPUT_INVALID', 'A configuration is saved for a user or for a scope; name one.');
}

function placeOf({ scope, user }: LayerOwner): string {
  return user === undefined ? `saved for scope ${scope}` : `saved for user ${user}`;
}
