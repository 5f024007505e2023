import { itemsOf } from '../checks/items-of.ts';
import { isLabel } from '../compile/check-rule-fields.ts';
import type { CompiledRule } from '../compile/compiled-rule.ts';
import { createEngine, type Engine } from '../compile/engine.ts';
import { knownValueRules } from '../compile/known-value-rules.ts';
import type { SecretMemory } from '../redactor.ts';
import { entropy } from '../scan/entropy.ts';

/** The data that streams read from a memory. */
export interface KnownSecrets extends SecretMemory {
  /** Finds all its values; rebuilt when there are more. */
  engine(): Known;
}

/** The rules of the first values of a memory, and their engine. */
interface Known {
  readonly rules: readonly CompiledRule[];
  readonly count: number;
  readonly engine: Engine;
  readonly labels: readonly string[];
}

/**
 * The engines that were used last. An engine takes hundreds of kilobytes, and the events of an ended run keep its memory. Other engines last until
 * they are collected.
 */
const recent = new Set<Known>();
const MOST_RECENT = 32;

/** The beginning of the names of rules for lists without quotes. */
const BARE_LIST = 'unquoted-listed-';
const LEAST = 12;
const MOST = 1024;
const LEAST_ENTROPY = 2.8;

/** The capacity of a memory, and further memories. */
interface SecretMemoryOptions {
  /** The maximum number of values. Default: 64. */
  readonly most?: number;
  /** Another memory that receives the same values. */
  readonly also?: SecretMemory;
}

const NONE: Pick<Known, 'rules' | 'count'> = { rules: [], count: 0 };

/** Creates a memory of values for one run. */
export function createSecretMemory({ most = 64, also }: SecretMemoryOptions = {}): SecretMemory {
  /** The rules that found the values. */
  const values = new Map<string, string>();
  let known: WeakRef<Known> | undefined;
  const memory: KnownSecrets = {
    add(list, rule) {
      also?.add(list, rule);
      for (const value of itemsOf(list, rule.startsWith(BARE_LIST))) take(value, rule);
    },
    get size() {
      return values.size;
    },
    engine() {
      const before = known?.deref();
      const now = before?.count === values.size ? before : extended(before);
      if (before) recent.delete(before);
      recent.add(now);
      const [oldest] = recent;
      if (recent.size > MOST_RECENT && oldest) recent.delete(oldest);
      return now;
    },
  };

  function extended({ rules: earlier, count } = NONE): Known {
    const fresh = [...values].slice(count).flatMap(([value, label]) => knownValueRules([{ label, value }]));
    const rules = [...earlier, ...fresh];
    const now = { rules, count: values.size, engine: createEngine(rules), labels: rules.map(({ label }) => label) };
    known = new WeakRef(now);
    return now;
  }

  function take(value: string, rule: string): void {
    if (values.has(value) || values.size >= most || value.length < LEAST || value.length > MOST) return;
    if (entropy(value) < LEAST_ENTROPY || value.includes('[REDACTED:') || !isLabel(rule)) return;
    values.set(value, rule);
  }

  return memory;
}
