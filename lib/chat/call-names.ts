import { callKey } from '../agent/suspend/resumed-keys.ts';
import type { RunInfo } from '../events/parts/run-info.ts';

type CallRun = Pick<RunInfo, 'runId' | 'resumedFrom'>;

/**
 * Names the calls of a conversation on the client's screen. Models number their calls as they like: the id is the name of the first call
 * that has it, the key that of another one. The same names and events before give the same name.
 */
export class CallNames {
  readonly #taken: Set<string>;
  readonly #named: ReadonlyMap<string, string>;
  /** Of the calls of these events, by key. */
  readonly #names = new Map<string, string>();

  /** `shown` are the names that the client shows already, `named` those of the calls that a resumed run goes on with, by their keys. */
  constructor(shown: Iterable<string>, named: ReadonlyMap<string, string> = new Map()) {
    this.#taken = new Set(shown);
    this.#named = named;
  }

  /** Names a call that a model asks for now. */
  give({ runId }: CallRun, id: string): string {
    const key = callKey(runId, id);
    let name = this.#taken.has(id) ? key : id;
    for (let copy = 2; this.#taken.has(name); copy++) name = `${copy}~${key}`;
    return this.#keep(key, name);
  }

  /** The name of a call; one that another stream has shown keeps its own. */
  of(run: CallRun, id: string): string {
    const { runId, resumedFrom } = run;
    const key = callKey(runId, id);
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    if (resumedFrom === undefined) return this.give(run, id);
    const before = callKey(resumedFrom, id);
    const used = new Set(this.#names.values());
    return this.#keep(key, this.#named.get(before) ?? this.#latest(before) ?? (used.has(id) ? before : id));
  }

  /** The name of a call by the key that these events give it. */
  byKey(key: string): string | undefined {
    return this.#names.get(key);
  }

  #latest(key: string): string | undefined {
    return [...this.#taken].filter((name) => isNamed(name, key)).at(-1);
  }

  #keep(key: string, name: string): string {
    this.#taken.add(name);
    this.#names.set(key, name);
    return name;
  }
}

export function isNamed(name: string, key: string): boolean {
  return name.endsWith(key) && /^(\d+~)?$/.test(name.slice(0, -key.length));
}

/** The id of a call as the model knows it. */
export function callIdIn(name: string): string {
  return /^(?:\d+~)?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\/(.+)$/s.exec(name)?.[1] ?? name;
}
