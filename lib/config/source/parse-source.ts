import { HooklineError } from '../../errors.ts';
import { toJson } from '../../events/values/to-json.ts';
import type { ConfigFault } from '../faults/fault.ts';
import { jsonSource } from './json-source.ts';
import type { Source } from './source.ts';
import { yamlSource } from './yaml-source.ts';

/** Parses JSON, JSON with comments, or YAML, told by the extension (`.json`, `.jsonc`, `.yaml`, `.yml`), else by how the text begins. */
export function parseSource(file: string, text: string, faults: ConfigFault[], extension = ''): Source {
  const isYaml = /^\.ya?ml$/i.test(extension);
  const isJson = /^\.jsonc?$/i.test(extension) || /^\s*(?:[{[]|\/[/*])/.test(text);
  const before = faults.length;
  try {
    const source = !isYaml && isJson ? jsonSource(file, text, faults) : yamlSource(file, text, faults);
    if (faults.length > before) return { ...source, value: undefined };
    // Anchors of YAML may lead to one object from several places, or in a circle; `.nan` and 1e999 are no JSON.
    const value = toJson(source.value ?? null, 'the configuration');
    if (isObject(value)) return { ...source, value };
    const seen = value === null ? 'nothing' : Array.isArray(value) ? 'a list' : `a ${typeof value}`;
    faults.push({ file, ...source.placeOf([]), path: [], message: `expected an object, got ${seen}.` });
    return { ...source, value: undefined };
  } catch (thrown) {
    const odd = thrown instanceof HooklineError && thrown.code === 'NOT_JSON';
    // Both parsers descend by recursion.
    if (!odd && !(thrown instanceof RangeError)) throw thrown;
    const message = odd ? thrown.message : 'it is nested too deeply.';
    faults.push({ file, ...START, path: [], message });
    return { file, value: undefined, placeOf: () => START };
  }
}

const START = { line: 1, column: 1 };

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
