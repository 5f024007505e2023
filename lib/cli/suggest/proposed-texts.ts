import { harmlessJson } from '../../events/values/harmless-json.ts';
import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import { shortJson } from '../terminal/short-json.ts';
import type { NewItem } from './insert-items.ts';
import type { LoggedCall } from './read-audit.ts';

/** A name that YAML reads as a text. */
const PLAIN = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[a-z][\w-]*$/i;

/** Returns the allow rule for exactly this call. */
export function ruleOf({ tool, input }: LoggedCall): NewItem {
  const value = { tool, exactly: substitutable(input) };
  const flow = `{ tool: ${nameOf(tool)}, exactly: ${jsonOf(value.exactly)} }`;
  return { value, lines: [flow], flow };
}

/** Returns the case that expects this call to be allowed. */
export function caseOf({ tool, input, permission }: LoggedCall): NewItem {
  const name = `approved by people: ${tool} ${shortJson(input, 60)}`;
  const call = { tool, ...(permission !== undefined && { permission }), input };
  const grants = permission === undefined ? '' : ` permission: ${permission},`;
  const lines = [
    `name: ${jsonOf(name)}`,
    `call: { tool: ${nameOf(tool)},${grants} input: ${jsonOf(input)} }`,
    'expect: allow',
  ];
  return { value: { name, call, expect: 'allow' }, lines, flow: `{ ${lines.join(', ')} }` };
}

const nameOf = (tool: string): string => (PLAIN.test(tool) ? tool : jsonOf(tool));

/** JSON is YAML, too. Hidden characters are escaped. */
const jsonOf = (value: JsonValue): string => harmlessJson(JSON.stringify(value));

/** Configurations substitute variables in their texts. */
function substitutable(value: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(value), (_, field: unknown) =>
    typeof field === 'string' ? field.replaceAll('${', () => '$${') : field,
  ) as JsonObject;
}
