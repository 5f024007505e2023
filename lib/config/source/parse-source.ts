import { HooklineError } from '../../errors.ts';
import { isObject } from '../../events/values/is-object.ts';
import { toJson } from '../../events/values/to-json.ts';
import type { ConfigIssue } from '../issues/config-issue.ts';
import { jsonSource } from './json-source.ts';
import type { Source } from './source.ts';
import { yamlSource } from './yaml-source.ts';

/** Parses JSON, JSON with comments, or YAML, by the extension (`.json`, `.jsonc`, `.yaml`, `.yml`), otherwise by the beginning of the text. */
export function parseSource(file: string, text: string, issues: ConfigIssue[], extension = ''): Source {
  const isYaml = /^\.ya?ml$/i.test(extension);
  const isJson = /^\.jsonc?$/i.test(extension) || /^\s*(?:[{[]|\/[/*])/.test(text);
  const before = issues.length;
  try {
    const source = !isYaml && isJson ? jsonSource(file, text, issues) : yamlSource(file, text, issues);
    if (issues.length > before) return { ...source, value: undefined };
    // YAML anchors may refer to one object from several places, or in a circle; `.nan` and 1e999 are not valid JSON.
    const value = toJson(source.value ?? null, 'the configuration');
    if (isObject(value)) return { ...source, value };
    const seen = value === null ? 'nothing' : Array.isArray(value) ? 'a list' : `a ${typeof value}`;
    issues.push({ file, ...source.placeOf([]), path: [], message: `expected an object, got ${seen}.` });
    return { ...source, value: undefined };
  } catch (thrown) {
    const isNotJson = thrown instanceof HooklineError && thrown.code === 'NOT_JSON';
    // Both parsers are recursive.
    if (!isNotJson && !(thrown instanceof RangeError)) throw thrown;
    const message = isNotJson ? thrown.message : 'the configuration is nested too deeply.';
    issues.push({ file, ...START, path: [], message });
    return { file, value: undefined, placeOf: () => START };
  }
}

const START = { line: 1, column: 1 };
