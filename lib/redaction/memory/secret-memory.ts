import type { CompiledRule } from '../compile/compiled-rule.ts';
import { createEngine, type Engine } from '../compile/engine.ts';
import { knownValueRules } from '../compile/known-value-rules.ts';
import { isLabel } from '../compile/vet-members.ts';
import type { SecretMemory } from '../redactor.ts';
import { entropy } from '../scan/entropy.ts';

/** What streams read of a memory. */
export interface KnownSecrets extends SecretMemory {
  /** Finds all values that it holds; made again when there are more. */
  engine(): { readonly engine: Engine; readonly labels: readonly string[] };
}

const LEAST = 12;
const MOST = 1024;
const LEAST_ENTROPY = 2.8;

/** A memory of at most `most` values (64 by default), for one run. */
export function createSecretMemory({ most = 64 }: { readonly most?: number } = {}): SecretMemory {
  const rules = new Map<string, readonly CompiledRule[]>();
  let made: ReturnType<KnownSecrets['engine']> | undefined;
  const memory: KnownSecrets = {
    add(value, rule) {
      if (rules.has(value) || rules.size >= most || value.length < LEAST || value.length > MOST) return;
      if (entropy(value) < LEAST_ENTROPY || value.includes('[REDACTED:') || !isLabel(rule)) return;
      rules.set(value, knownValueRules([{ label: rule, value }]));
      made = undefined;
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
  return memory;
}
