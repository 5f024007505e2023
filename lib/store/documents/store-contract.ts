import { randomUUID } from 'node:crypto';
import { keyChecks } from './contract/key-checks.ts';
import { raceChecks } from './contract/race-checks.ts';
import { revisionChecks } from './contract/revision-checks.ts';
import { createStoreBench, type StoreCheck } from './contract/store-bench.ts';
import { valueChecks } from './contract/value-checks.ts';
import type { DocumentStore } from './document-store.ts';

/** A promise that a store does not keep. */
export interface StoreIssue {
  readonly promise: string;
  readonly issue: string;
}

/** The report of `storeContract`. */
export interface StoreContractReport {
  /** The promises that were checked. */
  readonly promises: readonly string[];
  readonly issues: readonly StoreIssue[];
}

/** Options of `storeContract`. */
export interface StoreContractOptions {
  /** Timeout of one check in milliseconds (default: 30,000). */
  readonly timeoutMs?: number;
}

const checks: readonly StoreCheck[] = [...revisionChecks, ...valueChecks, ...keyChecks, ...raceChecks];

/**
 * Checks that stores keep the promises of `DocumentStore`. Each call of `make` must open a store on the same data, as after a restart, while others
 * are open. For a store in memory, it returns the same store. All documents are under a unique key, and are removed again. Returns a report, or
 * throws one error that lists all issues.
 */
export async function storeContract(
  make: () => DocumentStore | Promise<DocumentStore>,
  { timeoutMs = 30_000 }: StoreContractOptions = {},
): Promise<StoreContractReport> {
  const corner = `store-contract-${randomUUID()}`;
  const issues: StoreIssue[] = [];
  for (const [index, check] of checks.entries()) {
    const { promise } = check;
    const complain = (issue: string) => void issues.push({ promise, issue });
    try {
      const bench = await createStoreBench(make, [corner, String(index)], complain);
      await within(timeoutMs, check.try(bench));
    } catch (thrown) {
      complain(String(thrown));
    }
  }
  await cleanUp(make, corner, issues);
  const report: StoreContractReport = { promises: checks.map(({ promise }) => promise), issues };
  if (issues.length === 0) return report;
  const list = issues.map(({ promise, issue }, index) => `  ${index + 1}. ${promise}: ${issue}`).join('\n');
  const count = issues.length === 1 ? '1 issue' : `${issues.length} issues`;
  throw Object.assign(new Error(`The store does not keep the contract of document stores (${count}):\n${list}`), {
    name: 'AssertionError',
    report,
  });
}

async function cleanUp(make: () => DocumentStore | Promise<DocumentStore>, corner: string, issues: StoreIssue[]) {
  try {
    const store = await make();
    for (const key of await store.list([corner])) await store.remove(key);
  } catch (thrown) {
    issues.push({ promise: 'all that was listed can be removed', issue: String(thrown) });
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
