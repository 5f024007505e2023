import { randomUUID } from 'node:crypto';
import { keyChecks } from './contract/key-checks.ts';
import { raceChecks } from './contract/race-checks.ts';
import { revisionChecks } from './contract/revision-checks.ts';
import { createStoreBench, type StoreCheck } from './contract/store-bench.ts';
import { valueChecks } from './contract/value-checks.ts';
import type { DocumentStore } from './document-store.ts';

/** A promise that a store does not keep. */
export interface StoreFault {
  readonly promise: string;
  readonly fault: string;
}

/** What `storeContract` found. */
export interface StoreContractReport {
  /** The promises that were tried. */
  readonly promises: readonly string[];
  readonly faults: readonly StoreFault[];
}

/** How `storeContract` tries a store. */
export interface StoreContractOptions {
  /** Milliseconds that one promise may take to be tried; default 30,000. */
  readonly timeoutMs?: number;
}

const checks: readonly StoreCheck[] = [...revisionChecks, ...valueChecks, ...keyChecks, ...raceChecks];

/**
 * Tries whether stores keep what `DocumentStore` promises. Each call of `make` has to open a store on the same place, as after a restart and
 * beside others that are open; of a store that lives in memory it gives the same one. All that is written lies under one key that nobody
 * else has, and is removed again. Gives a report, or throws one error that lists every fault.
 */
export async function storeContract(
  make: () => DocumentStore | Promise<DocumentStore>,
  { timeoutMs = 30_000 }: StoreContractOptions = {},
): Promise<StoreContractReport> {
  const corner = `store-contract-${randomUUID()}`;
  const faults: StoreFault[] = [];
  for (const [index, check] of checks.entries()) {
    const { promise } = check;
    const complain = (fault: string) => void faults.push({ promise, fault });
    try {
      const bench = await createStoreBench(make, [corner, String(index)], complain);
      await within(timeoutMs, check.try(bench));
    } catch (thrown) {
      complain(String(thrown));
    }
  }
  await cleanUp(make, corner, faults);
  const report: StoreContractReport = { promises: checks.map(({ promise }) => promise), faults };
  if (faults.length === 0) return report;
  const list = faults.map(({ promise, fault }, index) => `  ${index + 1}. ${promise}: ${fault}`).join('\n');
  const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`;
  throw Object.assign(new Error(`The store does not keep the contract of document stores (${count}):\n${list}`), {
    name: 'AssertionError',
    report,
  });
}

async function cleanUp(make: () => DocumentStore | Promise<DocumentStore>, corner: string, faults: StoreFault[]) {
  try {
    const store = await make();
    for (const key of await store.list([corner])) await store.remove(key);
  } catch (thrown) {
    faults.push({ promise: 'all that was listed can be removed', fault: String(thrown) });
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it takes longer than ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
