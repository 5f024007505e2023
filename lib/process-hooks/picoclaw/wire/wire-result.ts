import type { ToolResult } from '../../../events/parts/tool-result.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import { flagField, listField, textField } from './fields.ts';

/** Converts a result to PicoClaw's format: `for_llm, for_user?, silent, is_error, async, media?, artifact_tags?, response_handled?`. */
export function toWireResult(result: ToolResult): JsonObject {
  const { content, isError, forUser, silent, handled, media, artifactTags, async } = result;
  return {
    for_llm: content,
    ...(forUser !== undefined && { for_user: forUser }),
    silent: silent ?? false,
    is_error: isError,
    async: async ?? false,
    ...(media && { media: media.map(({ url }) => url) }),
    ...(artifactTags && { artifact_tags: [...artifactTags] }),
    ...(handled && { response_handled: true }),
  };
}

/** Reads the result of a reply. Missing fields are taken from `before`, or are empty. */
export function fromWireResult(value: unknown, before?: ToolResult): ToolResult {
  const flag = (name: string, known: boolean | undefined): boolean => {
    return flagField(value, name) ?? known ?? false;
  };
  const list = (name: string): string[] | undefined => {
    const given = listField(value, name);
    return given?.filter((one): one is string => typeof one === 'string' && one !== '');
  };
  const forUser = textField(value, 'for_user') ?? before?.forUser;
  const media = list('media')?.map((url) => before?.media?.find((one) => one.url === url) ?? { url }) ?? before?.media;
  const artifactTags = list('artifact_tags') ?? before?.artifactTags;
  return {
    content: textField(value, 'for_llm') ?? before?.content ?? '',
    isError: flag('is_error', before?.isError),
    ...(forUser !== undefined && forUser !== '' && { forUser }),
    ...(flag('silent', before?.silent) && { silent: true }),
    ...(flag('response_handled', before?.handled) && { handled: true }),
    ...(flag('async', before?.async) && { async: true }),
    ...(media && media.length > 0 && { media }),
    ...(artifactTags && artifactTags.length > 0 && { artifactTags }),
  };
}
