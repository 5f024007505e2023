import { isDeepStrictEqual } from 'node:util';
import type { Logger } from '../../pipeline/logger.ts';
import type { StoredDocument } from '../../store/documents/document-store.ts';
import { formatIssues, issuesOf } from '../issues/config-issue.ts';

/** Maximum number of owners whose last layers are kept. */
const MOST_OWNERS = 1_000;

/** The saved layers that runs of an owner have used last. */
interface Used {
  readonly layers?: readonly StoredDocument[];
  /** The newer layers that were rejected, and are logged. */
  readonly rejected?: readonly StoredDocument[];
}

/**
 * Keeps the last saved layers of each owner that could be applied. Another server may save layers that this one rejects, for example because it has
 * another version. Runs keep the last good ones then, as with files. Without good ones, the issues are thrown.
 */
export function lastGoodLayers(log: Logger | undefined) {
  const used = new Map<string, Used>();

  function keep(owner: string, one: Used): void {
    used.delete(owner);
    used.set(owner, one);
    if (used.size > MOST_OWNERS) used.delete(used.keys().next().value as string);
  }

  return {
    /** Applies the layers, or else the last good ones. */
    async apply<T>(
      owner: string,
      layers: readonly StoredDocument[],
      work: (layers: readonly StoredDocument[]) => Promise<T>,
    ): Promise<T> {
      try {
        const result = await work(layers);
        keep(owner, { layers });
        return result;
      } catch (thrown) {
        const issues = issuesOf(thrown);
        const before = used.get(owner);
        if (!issues || isDeepStrictEqual(before?.layers, layers)) throw thrown;
        // The last good ones may no longer match the files.
        const applied =
          before?.layers &&
          (await work(before.layers).then(
            (result) => ({ result }),
            () => undefined,
          ));
        const effect = applied ? 'runs keep the last good one' : 'no run of its owner starts';
        if (!isDeepStrictEqual(before?.rejected, layers))
          log?.error({ issues: formatIssues(issues) }, `a saved configuration is rejected; ${effect}`);
        keep(owner, { ...before, rejected: layers });
        if (!applied) throw thrown;
        return applied.result;
      }
    },
  };
}
