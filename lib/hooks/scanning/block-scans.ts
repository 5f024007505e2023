import type { EventOf } from '../../events/hook-event.ts';
import type { Redactor } from '../../redaction/redactor.ts';
import { jsonTextStream } from '../text/json-text-stream.ts';
import type { BlockScan } from './scan-chunks.ts';
import { rememberText, type ScanMemory } from './scan-memory.ts';
import { hasPolicy, leftBy, type PolicyByConfidence, type ScanSurface } from './scan-policies.ts';

type Policies = Readonly<Record<ScanSurface, PolicyByConfidence>>;

/** Characters of a block that are kept to be known again in the event that follows; a tool may print a gigabyte. */
const MAX_KEPT = 1 << 20;

const CHANGES = ['redact', 'block'] as const;
const LOOKS = ['report', ...CHANGES] as const;

/** The scan of a block that the model streams; nothing where its surface has none. */
export function scanOfReasoning(
  { part }: EventOf<'reasoningChunk'>,
  redactor: Redactor,
  policies: Policies,
  memory: ScanMemory,
): BlockScan | undefined {
  const policy = policies[part];
  // The call comes whole as well, and its own event tells of it.
  if (!hasPolicy(policy, ...(part === 'toolInput' ? CHANGES : LOOKS))) return undefined;
  if (part === 'toolInput')
    return {
      ...bare(memory),
      surface: part,
      policy,
      stream: (how) => jsonTextStream(redactor, { ...how, memory: memory.secrets }),
      quiet: true,
    };
  return { ...bare(memory), surface: part, policy, stream: remembering(redactor, memory), ...keeping(memory, part) };
}

/** The scan of what a tool reports; nothing where that surface has none. */
export function scanOfActing(
  { toolCall }: EventOf<'actingChunk'>,
  redactor: Redactor,
  policies: Policies,
  memory: ScanMemory,
): BlockScan | undefined {
  const { toolProgress: policy, toolResult } = policies;
  if (!hasPolicy(policy, ...LOOKS)) return undefined;
  const scan = { ...bare(memory), surface: 'toolProgress' as const, policy, stream: remembering(redactor, memory) };
  // What was only reported must not pass for a result that is to be redacted.
  const same = leftBy(policy).every((confidence) => policy[confidence] === toolResult[confidence]);
  const blocks = hasPolicy(policy, 'block') && JSON.stringify(policy) !== JSON.stringify(toolResult);
  return {
    ...scan,
    ...(same && !blocks && keeping(memory, 'toolResult')),
    blocked: (rules) => void memory.withheld.set(toolCall.id, rules),
  };
}

const remembering =
  (redactor: Redactor, { secrets }: ScanMemory): BlockScan['stream'] =>
  (how) =>
    redactor.stream({ ...how, memory: secrets });

const bare = ({ terms }: ScanMemory) => ({ terms, left: () => {}, over: () => {}, blocked: () => {} });

/** Has the event that follows know the text of the block again. */
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
