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
  engine(): { readonly engine: Engine; readonly labels: readonly string[] };
}

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

/** Creates a memory of values for one run. */
export function createSecretMemory({ most = 64, also }: SecretMemoryOptions = {}): SecretMemory {
  const rules = new Map<string, readonly CompiledRule[]>();
  let made: ReturnType<KnownSecrets['engine']> | undefined;
  const memory: KnownSecrets = {
    add(list, rule) {
      also?.add(list, rule);
      for (const value of itemsOf(list, rule.startsWith(BARE_LIST))) take(value, rule);
    },
    get size() {
      return rules.size;
    },
    engine() {
      if (made) return made;
      const all = [...rules.values()].flat();
      made = { engine: createEngine(all), labels: all.map(({ label }) => label) };
      return made;
    },
  };

  function take(value: string, rule: string): void {
    if (rules.has(value) || rules.size >= most || value.length < LEAST || value.length > MOST) return;
    if (entropy(value) < LEAST_ENTROPY || value.includes('[REDACTED:') || !isLabel(rule)) return;
    rules.set(value, knownValueRules([{ label: rule, value }]));
    made = undefined;
  }

  return memory;
}
