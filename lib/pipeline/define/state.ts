import { z } from 'zod';
import { parseOptions } from '../../errors/parse-options.ts';
import { HooklineError } from '../../errors.ts';
import { deepFreeze } from '../../events/values/deep-freeze.ts';
import { ignoreRejection } from '../../events/values/is-async.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import { toJson } from '../../events/values/to-json.ts';

/** The name and schema of a value of a run. Define it at module level and share it between hooks. */
export interface StateKey<T> {
  readonly name: string;
  readonly schema: z.ZodType<T>;
  /** The initial value, which is copied, or a function that returns it. */
  readonly initial: T | (() => T);
}

/** A value of a run. `set` checks it against the key's schema. It is JSON and saved in snapshots. */
export interface StateCell<T> {
  get(): T;
  set(value: T): void;
  update(change: (value: T) => T): void;
}

const keySchema = z.looseObject({
  name: z.string().min(1, 'must not be empty'),
  schema: z.custom((value) => typeof (value as z.ZodType | null)?.safeParse === 'function', 'must be a zod schema'),
  initial: z.custom((value) => value !== undefined, 'must be a value, or a function that gives it'),
});

/** Defines a state key. */
export function defineState<T>(key: StateKey<T>): StateKey<T> {
  parseOptions('defineState()', keySchema, key);
  return key;
}

/** Set on a hook whose state is separate from other hooks with the same keys. One symbol for all copies of this package. */
export const STATE_OWNER: unique symbol = Symbol.for('hookline.stateOwner');

/** State of one run, restored from a snapshot. Values that no hook reads are kept unchanged. */
export class RunState {
  readonly #saved: Readonly<Record<string, JsonValue>> | undefined;
  #values: Map<string, unknown> | undefined = undefined;
  #keys: Map<string, StateKey<never>> | undefined = undefined;

  constructor(saved?: Readonly<Record<string, JsonValue>>) {
    this.#saved = saved;
  }

  /** `owner` separates the state of hooks from the same factory. */
  cell<T>(key: StateKey<T>, owner = ''): StateCell<T> {
    const name = `${owner}${key.name}`;
    this.#values ??= new Map(Object.entries(this.#saved ?? {}));
    this.#keys ??= new Map();
    const values = this.#values;
    const known = this.#keys.get(name);
    if (known === undefined) {
      const value = values.has(name) ? values.get(name) : initialOf(key);
      values.set(name, check(key, value, values.has(name) ? 'from the snapshot' : 'from `initial`'));
      this.#keys.set(name, key as StateKey<never>);
    } else if (known !== (key as StateKey<never>)) {
      throw new HooklineError('STATE_INVALID', `Two state keys are named "${key.name}"; share one key, or rename one.`);
    }
    const cell: StateCell<T> = {
      get: () => values.get(name) as T,
      set: (value) => void values.set(name, check(key, value, 'as set')),
      update: (change) => cell.set(change(cell.get())),
    };
    return cell;
  }

  toJson(): Record<string, JsonValue> {
    return this.#values ? (Object.fromEntries(this.#values) as Record<string, JsonValue>) : { ...this.#saved };
  }
}

function initialOf<T>({ initial }: StateKey<T>): T {
  // A state is JSON, so a function is never the value itself.
  return typeof initial === 'function' ? (initial as () => T)() : initial;
}

function check<T>(key: StateKey<T>, value: unknown, from: string): T {
  ignoreRejection(value);
  const parsed = key.schema.safeParse(value);
  if (parsed.success) return deepFreeze(toJson(parsed.data, `state "${key.name}"`) as T);
  const issues = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'the value'}: ${issue.message}`);
  throw new HooklineError('STATE_INVALID', `State "${key.name}" ${from} is invalid. ${issues.join('; ')}`);
}
