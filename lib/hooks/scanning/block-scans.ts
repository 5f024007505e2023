import type { EventOf } from '../../events/hook-event.ts';
import type { Redactor } from '../../redaction/redactor.ts';
import { jsonTextStream } from '../text/json-text-stream.ts';
import type { BlockScan } from './scan-chunks.ts';
import { rememberText, type ScanMemory } from './scan-memory.ts';
import { hasPolicy, leftBy, type PolicyByConfidence, type ScanSurface } from './scan-policies.ts';

type Policies = Readonly<Record<ScanSurface, PolicyByConfidence>>;

/** The number of characters of a block kept to recognize it in the next event. A tool may output a gigabyte. */
const MAX_KEPT = 1 << 20;

const CHANGES = ['redact', 'block'] as const;
const LOOKS = ['report', ...CHANGES] as const;

/** Returns the scan of a block of the model, or `undefined` if its surface has none. */
export function scanOfReasoning(
  { part }: EventOf<'reasoningChunk'>,
  redactor: Redactor,
  policies: Policies,
  memory: ScanMemory,
): BlockScan | undefined {
  const policy = policies[part];
  // The complete call follows, and its own event reports the findings.
  if (!hasPolicy(policy, ...(part === 'toolInput' ? CHANGES : LOOKS))) return undefined;
  const { terms } = memory;
  // Without spreads, because every answer has a block.
  if (part === 'toolInput') {
    const stream: BlockScan['stream'] = (how) => jsonTextStream(redactor, { memory: memory.secrets, ...how });
    return { terms, surface: part, policy, stream, quiet: true, left: ignore, over: ignore, blocked: ignore };
  }
  const { left, over } = keeping(memory, part);
  return { terms, surface: part, policy, stream: remembering(redactor, memory), left, over, blocked: ignore };
}

/** Returns the scan of a tool's progress, or `undefined` if that surface has none. */
export function scanOfActing(
  { toolCall }: EventOf<'actingChunk'>,
  redactor: Redactor,
  policies: Policies,
  memory: ScanMemory,
): BlockScan | undefined {
  const { toolProgress: policy, toolResult } = policies;
  if (!hasPolicy(policy, ...LOOKS)) return undefined;
  // Progress that was only reported must not count as a scanned result that is to be redacted.
  const same = leftBy(policy).every((confidence) => policy[confidence] === toolResult[confidence]);
  const blocks = hasPolicy(policy, 'block') && JSON.stringify(policy) !== JSON.stringify(toolResult);
  const { left, over } = same && !blocks ? keeping(memory, 'toolResult') : { left: ignore, over: ignore };
  const blocked = (rules: string) => void memory.withheld.set(toolCall.id, rules);
  const { terms } = memory;
  return { terms, surface: 'toolProgress', policy, stream: remembering(redactor, memory), left, over, blocked };
}

const ignore = (): void => {};

const remembering =
  (redactor: Redactor, { secrets }: ScanMemory): BlockScan['stream'] =>
  (how) =>
    redactor.stream({ memory: secrets, ...how });

/** Keeps the text of the block, so that the next event recognizes it. */
function keeping(memory: ScanMemory, surface: ScanSurface): Pick<BlockScan, 'left' | 'over'> {
  const pieces: string[] = [];
  let length = 0;
  return {
    left(text) {
      length += text.length;
      if (length <= MAX_KEPT) pieces.push(text);
      else pieces.length = 0;
    },
    over(changed, late) {
      if (length <= MAX_KEPT) rememberText(memory, surface, pieces.join(''), changed);
      if (late) memory.late.push(late);
    },
  };
}
