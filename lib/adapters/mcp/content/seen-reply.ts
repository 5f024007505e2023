import { errorResult, type MediaReference, type ToolResult } from '../../../events/parts/tool-result.ts';
import { canonicalJson } from '../../../events/values/canonical-json.ts';
import type { JsonObject, JsonValue } from '../../../events/values/json-value.ts';
import { parseJson, parseJsonObject } from '../../../events/values/parse-json.ts';
import { type CallResult, type ContentBlock, textOfBlock } from './content-block.ts';
import { toToolResult } from './to-tool-result.ts';
import { withTexts } from './with-texts.ts';

/** The fields of a server's reply to a call that Hookline reads. */
export type CallReply = {
  readonly result?: JsonObject;
  readonly error?: { readonly message: string; readonly data?: unknown };
};

/** A reply as hooks see it, and its conversion back after the hooks have settled it. */
export interface SeenReply {
  readonly seen: ToolResult;
  /** Returns the result for the client, or `undefined` if no hook changed the reply. The original is then forwarded. */
  restore(settled: ToolResult): JsonObject | undefined;
}

/** Returns what hooks see of a reply: texts, media, and structured content that the texts do not repeat. */
export function seeReply({ result, error }: CallReply, structures: boolean): SeenReply {
  if (error) {
    const data = error.data === undefined ? '' : `\n${JSON.stringify(error.data)}`;
    return shown(errorResult(`${error.message}${data}`), (settled) => made(settled, structures));
  }
  const kind = result?.['resultType'];
  if (kind === 'task' || (result?.['task'] !== undefined && result['content'] === undefined)) {
    const seen = errorResult('The server started a task, which the proxy does not forward.');
    return { seen, restore: (settled) => made(settled, structures) };
  }
  if (kind !== undefined && kind !== 'complete') {
    // The server requests input. The client sends the call again with the answer.
    return shown({ content: JSON.stringify(result), isError: false }, (settled) => {
      const parsed = parseJsonObject(settled.content);
      return parsed?.['resultType'] === kind ? parsed : made(settled, structures);
    });
  }
  return seeResult((result ?? {}) as CallResult, structures);
}

function seeResult(result: CallResult, structures: boolean): SeenReply {
  const { structuredContent, content: blocks = [] } = result;
  const converted = toToolResult(result);
  const texts = blocks.filter((block) => textOfBlock(block) !== undefined);
  const [only = ''] = texts.map(textOfBlock);
  const inText =
    structuredContent === undefined || texts.length === 0 || (texts.length === 1 && hasValue(only, structuredContent));
  const seen = inText
    ? converted
    : { ...converted, content: `${converted.content}\n${JSON.stringify(structuredContent)}` };
  return shown(seen, (settled) => {
    const same = sameMedia(settled.media, converted.media);
    const given = same ? blocks : blocks.filter((block) => textOfBlock(block) !== undefined);
    const further = same ? [] : (settled.media ?? []).map(toBlock);
    const media = [...given.filter((block) => textOfBlock(block) === undefined), ...further];
    if (structuredContent === undefined && !structures && texts.length > 0)
      return { ...toResult(settled, []), content: [...withTexts(given, settled.content), ...further] as never };
    if (structuredContent === undefined) return made(settled, structures, media);
    // `JSON.stringify` writes no line breaks, so the last line is the structured content that was appended.
    const end = inText ? -1 : settled.content.lastIndexOf('\n');
    const structured = !inText && end < 0 ? undefined : parseJson(settled.content.slice(end + 1));
    if (structured === undefined || typeof structured !== typeof structuredContent)
      return made(settled, structures, media, true);
    const content = inText ? settled.content : settled.content.slice(0, end);
    const kept = texts.length > 0 && [...withTexts(given, content), ...further];
    return {
      ...toResult({ ...settled, content }, media),
      ...(kept && { content: kept as never }),
      structuredContent: structured,
    };
  });
}

function shown(seen: ToolResult, change: (settled: ToolResult) => JsonObject): SeenReply {
  const same = (settled: ToolResult): boolean =>
    settled.content === seen.content && settled.isError === seen.isError && sameMedia(settled.media, seen.media);
  return { seen, restore: (settled) => (same(settled) ? undefined : change(settled)) };
}

/**
 * Builds a result from settled text. Clients reject a success without the structured content that the tool declares, so the result becomes an error.
 */
export function made(
  settled: ToolResult,
  structures: boolean,
  media: readonly ContentBlock[] = (settled.media ?? []).map(toBlock),
  withheld = false,
): JsonObject {
  const structured = structures && !settled.isError && !withheld ? parseJsonObject(settled.content) : undefined;
  if (structured) return { ...toResult(settled, media), structuredContent: structured };
  return toResult(structures ? { ...settled, isError: true } : settled, media);
}

function toResult({ content, isError }: ToolResult, media: readonly ContentBlock[]): JsonObject {
  const texts: readonly ContentBlock[] = content === '' && media.length > 0 ? [] : [{ type: 'text', text: content }];
  return { content: [...texts, ...media] as unknown as JsonValue, ...(isError && { isError }) };
}

function toBlock({ url, mediaType }: MediaReference): ContentBlock {
  const [, type = mediaType ?? '', data] = /^data:([^;,]*);base64,(.*)$/s.exec(url) ?? [];
  if (data === undefined) return { type: 'resource_link', uri: url, name: url };
  const kind = type.split('/')[0];
  if (kind === 'image' || kind === 'audio') return { type: kind, data, mimeType: type };
  return { type: 'resource', resource: { uri: 'hookline:media', blob: data, mimeType: type } };
}

function sameMedia(a: readonly MediaReference[] = [], b: readonly MediaReference[] = []): boolean {
  return a.length === b.length && a.every(({ url }, index) => url === b[index]?.url);
}

function hasValue(text: string, value: unknown): boolean {
  const parsed = parseJson(text);
  return parsed !== undefined && canonicalJson(parsed) === canonicalJson(value as JsonValue);
}
