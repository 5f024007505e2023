import type { Message, MessagePart } from '../../events/parts/message.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import type { ToolResult } from '../../events/parts/tool-result.ts';
import type { Confidence } from '../../redaction/confidence.ts';
import type { Finding, Redactor } from '../../redaction/redactor.ts';
import { scanJson } from './scan-json.ts';
import { rememberText, type ScanMemory } from './scan-memory.ts';
import { type Hit, hitsOf, type Scanned, type ScanTerms } from './scan-note.ts';
import { hasPolicy, leftBy, type PolicyByConfidence, type ScanSurface } from './scan-policies.ts';
import { scanJsonText } from './structure/scan-json-text.ts';

/** Scans complete values. Clean or only reported values are returned as the same object. */
export interface WholeScanner {
  readonly terms: ScanTerms;
  /** Whether a call with a secret in its arguments must not run. */
  readonly blocksCalls: boolean;
  message(message: Message, memory: ScanMemory): Scanned<Message>;
  toolCall(toolCall: ToolCall, memory: ScanMemory): Scanned<ToolCall>;
  result(result: ToolResult, memory: ScanMemory): Scanned<ToolResult>;
}

export function createWholeScanner(
  redactor: Redactor,
  policies: Readonly<Record<ScanSurface, PolicyByConfidence>>,
  terms: ScanTerms,
): WholeScanner {
  function apply<T>(
    surface: ScanSurface,
    value: T,
    scan: (leave: readonly Confidence[]) => { value: T; findings: readonly Finding[] },
  ): Scanned<T> {
    const policy = policies[surface];
    if (!hasPolicy(policy, 'report', 'redact', 'block')) return { clean: value, hits: [] };
    const { value: clean, findings } = scan(leftBy(policy));
    const hits = hitsOf(terms, surface, policy, findings);
    return { clean: hits.some((hit) => hit.policy !== 'report') ? clean : value, hits };
  }

  /** Returns whether a surface that leaves no more than this one has released the text. A second scan would find its replacements. */
  function isCleaned(surface: ScanSurface, value: string, { cleaned }: ScanMemory): boolean {
    const left = leftBy(policies[surface]);
    return [...cleaned].some(
      ([other, texts]) => texts.has(value) && leftBy(policies[other]).every((confidence) => left.includes(confidence)),
    );
  }

  function text(surface: ScanSurface, value: string, memory: ScanMemory): Scanned<string> {
    const { seen, secrets } = memory;
    if (isCleaned(surface, value, memory) || seen.get(surface)?.has(value)) return { clean: value, hits: [] };
    const scanned = apply(surface, value, (leave) => {
      const how = { leave, memory: secrets };
      const { text, findings } = redactor.redact(value, how);
      return surface === 'toolResult' ? scanJsonText(redactor, text, findings, how) : { value: text, findings };
    });
    if (scanned.clean !== value) rememberText(memory, surface, scanned.clean, true);
    return scanned;
  }

  function toolCall(call: ToolCall, { secrets }: ScanMemory): Scanned<ToolCall> {
    const { id: _, name: __, ...read } = call;
    // The error for unreadable arguments may quote them.
    const { clean, hits } = apply('toolInput', read, (leave) => scanJson(redactor, read, { leave, memory: secrets }));
    return { clean: clean === read ? call : { ...call, ...clean }, hits };
  }

  function result(result: ToolResult, memory: ScanMemory): Scanned<ToolResult> {
    const hits: Hit[] = [];
    const clean = (value: string): string => {
      const scanned = text('toolResult', value, memory);
      hits.push(...scanned.hits);
      return scanned.clean;
    };
    const { content, forUser, media, artifactTags } = result;
    const cleaned: ToolResult = {
      ...result,
      content: clean(content),
      ...(forUser !== undefined && { forUser: clean(forUser) }),
      // Encoded media may match a rule by chance, and redaction would break them.
      ...(media && { media: media.map((one) => (isEncoded(one.url) ? one : { ...one, url: clean(one.url) })) }),
      ...(artifactTags && { artifactTags: artifactTags.map(clean) }),
    };
    const same =
      cleaned.content === content &&
      cleaned.forUser === forUser &&
      (media ?? []).every(({ url }, index) => url === cleaned.media?.[index]?.url) &&
      (artifactTags ?? []).every((tag, index) => tag === cleaned.artifactTags?.[index]);
    return { clean: same ? result : cleaned, hits };
  }

  function part(part: MessagePart, surface: ScanSurface | undefined, memory: ScanMemory): Scanned<MessagePart> {
    if (part.type === 'toolCall') {
      // The event of the call reports arguments that are not changed.
      if (!hasPolicy(policies.toolInput, 'redact', 'block')) return { clean: part, hits: [] };
      const { clean, hits } = toolCall(part.toolCall, memory);
      return { clean: clean === part.toolCall ? part : { ...part, toolCall: clean }, hits };
    }
    if (part.type === 'toolResult') {
      const { clean, hits } = result(part.result, memory);
      return { clean: clean === part.result ? part : { ...part, result: clean }, hits };
    }
    const where = part.type === 'thinking' ? 'thinking' : surface;
    if (part.type === 'media' || where === undefined) return { clean: part, hits: [] };
    const { clean, hits } = text(where, part.text, memory);
    const kept = !isCleaned(where, clean, memory) || part.type === 'text' || part.metadata === undefined;
    if (kept) return { clean: clean === part.text ? part : { ...part, text: clean }, hits };
    // A provider accepts a signed part only if it is unchanged.
    return { clean: { type: part.type, text: clean }, hits };
  }

  return {
    terms,
    blocksCalls: hasPolicy(policies.toolInput, 'block'),
    toolCall,
    result,
    message(message, memory) {
      const surface = surfaceOf(message);
      const hits: Hit[] = [];
      const parts = message.parts.map((one) => {
        const scanned = part(one, surface, memory);
        hits.push(...scanned.hits);
        return scanned.clean;
      });
      return {
        clean: parts.every((clean, index) => clean === message.parts[index]) ? message : { ...message, parts },
        hits,
      };
    },
  };
}

/** Returns the surface of a message's text. The agent's own instructions contain no secrets. */
function surfaceOf({ role, origin }: Message): ScanSurface | undefined {
  if (role === 'assistant') return 'text';
  if (origin !== undefined) return 'context';
  return ({ user: 'prompt', tool: 'toolResult', system: undefined } as const)[role];
}

const isEncoded = (url: string): boolean => /^data:[^,]{0,256};base64,/i.test(url);
