import { applyEdits, modify, parse } from 'jsonc-parser';
import { messageOf } from '../../../errors/describe-thrown.ts';
import { HooklineError } from '../../../errors.ts';
import { isObject } from '../../../events/values/is-object.ts';
import type { JsonObject, JsonValue } from '../../../events/values/json-value.ts';

/** Parses the settings of a host. Throws `INPUT_INVALID` if they are not an object of plain JSON; `help` is what a person can do then. */
export function parseSettings(text: string, file: string, help: () => string): JsonObject {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (thrown) {
    const errors: Parameters<typeof parse>[1] = [];
    parse(text, errors, { allowTrailingComma: true });
    const why =
      errors.length === 0
        ? `${file} has comments or trailing commas, which hookline does not rewrite. It was not changed. ${help()}`
        : `${file} is not valid JSON and was not changed: ${messageOf(thrown)}. Correct it first.`;
    throw new HooklineError('INPUT_INVALID', why, { cause: thrown });
  }
  if (isObject(value)) return value;
  throw new HooklineError('INPUT_INVALID', `${file} must be a JSON object. It was not changed.`);
}

/** Parses settings of a host that ignores comments. Throws `INPUT_INVALID` if they are not an object. */
export function parseCommented(text: string, file: string): JsonObject {
  const errors: Parameters<typeof parse>[1] = [];
  const value: JsonValue = parse(text, errors);
  return errors.length === 0 && isObject(value) ? value : parseSettings(text, file, () => 'Its hooks were not tested.');
}

/** Sets or removes a value, and leaves the remaining text as it is. */
export function editJson(text: string, path: readonly string[], value: JsonValue | undefined): string {
  const [, indent = '  '] = /^([ \t]+)"/m.exec(text) ?? [];
  const formattingOptions = {
    insertSpaces: !indent.includes('\t'),
    tabSize: indent.includes('\t') ? 4 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  return applyEdits(text, modify(text, [...path], value, { formattingOptions }));
}

export const jsonText = (value: JsonValue): string => `${JSON.stringify(value, undefined, 2)}\n`;
