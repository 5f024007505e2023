import { isScalar, type Node } from 'yaml';

/** Whether a key of a map is `<<`, which merges other maps into it. */
export function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.value === '<<' && key.type === 'PLAIN';
}

export function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}
