import { type Document, isAlias, isMap, isPair, isScalar, isSeq, type Node, visit, type YAMLMap } from 'yaml';
import type { ConfigPath } from './source.ts';
import { isMergeKey, startOf } from './yaml-nodes.ts';

export type Report = (offset: number, path: ConfigPath, message: string) => void;

/** Reports YAML that the composer accepts but a configuration cannot contain, with its locations. */
export function checkYaml(document: Document, report: Report): void {
  visit(document, {
    Map(_, map, around) {
      checkKeys(map, (offset, name, message) => report(offset, [...pathOf(around), ...name], message));
    },
    Pair(_, { key, value }, around) {
      if (!isMergeKey(key)) return;
      const sources = resolve(value);
      const all = isSeq(sources) ? sources.items.map(resolve) : [sources];
      if (!all.every(isMap))
        report(
          startOf(key) ?? 0,
          [...pathOf(around), '<<'],
          'merges a value that is not a map. Use an alias of a map, or a list of aliases.',
        );
    },
    Scalar(key, { value, range }, around) {
      if (key === 'key' || typeof value !== 'number' || Number.isFinite(value)) return;
      report(range?.[0] ?? 0, pathOf(around, key), `is ${value}, which JSON cannot represent. Use a plain number.`);
    },
    Alias(key, alias, around) {
      const target = alias.resolve(document);
      const [offset, path] = [startOf(alias) ?? 0, pathOf(around, key)];
      if (!target)
        report(offset, path, `the alias *${alias.source} has no target. Define the anchor &${alias.source} before it.`);
      else if ((around as readonly unknown[]).includes(target))
        report(offset, path, `the alias *${alias.source} refers to a value that contains it.`);
    },
  });

  function resolve(node: unknown): unknown {
    return isAlias(node) ? node.resolve(document) : node;
  }
}

function checkKeys({ items }: YAMLMap, report: (offset: number, name: string[], message: string) => void): void {
  const seen = new Set<unknown>();
  for (const { key } of items) {
    if (!isScalar(key) || isMergeKey(key)) continue;
    const name = String(key.value);
    // It would be lost, because most objects cannot have it as a field.
    if (name === '__proto__') report(startOf(key) ?? 0, [name], 'this name is not allowed.');
    else if (seen.has(name)) report(startOf(key) ?? 0, [name], 'duplicate key; the first one would be ignored.');
    seen.add(name);
  }
}

/** Returns the path of a value within these nodes, outermost first. */
function pathOf(around: readonly unknown[], key?: unknown): ConfigPath {
  const nodes = around as readonly Node[];
  const path = nodes.flatMap((node, index): PropertyKey[] => {
    if (isPair(node)) return [String(isScalar(node.key) ? node.key.value : node.key)];
    // The last node contains the key, which is reported separately.
    const inner = nodes[index + 1];
    return isSeq(node) && inner !== undefined ? [node.items.indexOf(inner)] : [];
  });
  return typeof key === 'number' && isSeq(nodes.at(-1)) ? [...path, key] : path;
}
