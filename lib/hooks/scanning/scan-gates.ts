import { abort } from '../../events/decisions/abort.ts';
import type { ChangesOf } from '../../events/decisions/event-rules.ts';
import { modify } from '../../events/decisions/modify.ts';
import type { NoteInput } from '../../events/decisions/note.ts';
import type { GateEvent } from '../../events/hook-event.ts';
import type { Message } from '../../events/parts/message.ts';
import { toolCallsOf } from '../../events/parts/messages.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import { errorResult } from '../../events/parts/tool-result.ts';
import { type Approver, type Handlers, verdict } from '../../pipeline/define/hook.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import { rememberText, type ScanMemory } from './scan-memory.ts';
import { type Hit, rulesOf, type Scanned, scanNotes } from './scan-note.ts';
import type { WholeScanner } from './whole-scanner.ts';

/** Creates the handlers of gate events, and the approver that denies a call. */
export function scanGates(
  whole: WholeScanner,
  memoryOf: (run: RunInfo) => ScanMemory,
  restore: (toolCall: ToolCall, context: HookContext) => ToolCall,
) {
  const known = new WeakMap<Message, Scanned<Message>>();

  /** Caches scanned messages, because every request contains them again. Text that a hook injects may repeat a value found since. */
  function scanOnce(message: Message, memory: ScanMemory): Scanned<Message> {
    const cache = message.origin === undefined ? known : memory.injected;
    const scanned = cache.get(message) ?? whole.message(message, memory);
    cache.set(message, scanned);
    return scanned;
  }

  const on: Handlers = {
    preCall(event, { run }) {
      const memory = memoryOf(run);
      const scanned = event.messages.map((message) => scanOnce(message, memory));
      const hits = scanned.flatMap((one) => one.hits);
      for (const { clean } of scanned) memory.reported.add(clean);
      const next = notedEvent(event, { messages: changed(event.messages, scanned) }, hits);
      const stops = hits.filter(stopsRun);
      return stops.length > 0 ? abort(next, reasonOf(stops), { rollback: true }) : next;
    },

    preReasoning(event, { run }) {
      const memory = memoryOf(run);
      const { messages } = event;
      memory.seen.clear();
      if (memory.cleanWith !== memory.secrets.size) {
        memory.cleanWith = memory.secrets.size;
        memory.injected = new WeakMap();
        memory.clean = [];
      }
      // A conversation is long, and most of it was in the previous request.
      const isClean = (message: Message) => {
        const { clean, hits } = scanOnce(message, memory);
        return clean === message && hits.length === 0;
      };
      let same = 0;
      while (messages[same] && (messages[same] === memory.clean[same] || isClean(messages[same] as Message))) same += 1;
      memory.clean = same < messages.length ? messages.slice(0, same) : messages;
      if (memory.clean === messages) return event;
      const scanned = messages.map((message) => scanOnce(message, memory));
      // Messages before the last answer were scanned earlier. Later ones, such as steering, are new.
      const news = messages.findLastIndex(({ role }) => role === 'assistant') + 1;
      const hits = messages.flatMap((message, index) => {
        const isNew = (index >= news || message.origin !== undefined) && message.role !== 'tool';
        return isNew
          ? (scanned[index]?.hits ?? []).map((hit) => ({ ...hit, reported: memory.reported.has(message) }))
          : [];
      });
      for (const message of messages) memory.reported.add(message);
      const fresh = hits.filter(({ reported }) => !reported);
      const next = notedEvent(event, { messages: changed(messages, scanned) }, fresh);
      const stops = hits.filter(stopsRun);
      // The transcript already contains steering.
      const rollback = stops.some(({ surface }) => surface === 'prompt');
      return stops.length > 0 ? abort(next, reasonOf(stops), { rollback }) : next;
    },

    postReasoning(event, { run }) {
      const memory = memoryOf(run);
      for (const call of whole.blocksCalls ? toolCallsOf(event.message) : []) {
        const hits = whole.toolCall(call, memory).hits.filter(blocks);
        if (hits.length > 0) memory.denied.set(call.id, rulesOf(hits));
      }
      const { clean, hits } = whole.message(event.message, memory);
      for (const part of clean.parts) {
        if (part.type === 'text' || part.type === 'thinking') rememberText(memory, part.type, part.text, false);
      }
      const next = notedEvent(event, { message: clean }, hits, memory.late);
      const stops = hits.filter(({ surface, policy }) => surface !== 'toolInput' && policy === 'block');
      return stops.length > 0 ? abort(next, reasonOf(stops)) : next;
    },

    preActing(event, context) {
      const memory = memoryOf(context.run);
      const { clean, hits } = whole.toolCall(event.toolCall, memory);
      const stops = hits.filter(blocks);
      if (stops.length > 0) memory.denied.set(event.toolCall.id, rulesOf(stops));
      return notedEvent(event, { toolCall: restore(clean, context) }, hits);
    },

    postActing(event, { run }) {
      const memory = memoryOf(run);
      const { clean, hits } = whole.result(event.result, memory);
      const stops = hits.filter(({ policy }) => policy === 'block');
      const { id } = event.toolCall;
      const rules = memory.withheld.get(id) ?? (stops.length > 0 ? rulesOf(stops) : undefined);
      memory.withheld.delete(id);
      memory.denied.delete(id);
      const result =
        rules === undefined
          ? clean
          : errorResult(`The result was withheld, because it contains ${whole.terms.things} (${rules}).`);
      return notedEvent(event, { result }, hits, memory.late);
    },

    postCall(event, { run }) {
      if (!event.message) return undefined;
      const { clean, hits } = whole.message(event.message, memoryOf(run));
      return notedEvent(event, { message: clean }, hits);
    },
  };

  const approve: Approver = ({ toolCall }, { run }) => {
    if (!whole.blocksCalls) return verdict.allow();
    // Other hooks may have changed the call since.
    const hits = whole.toolCall(toolCall, memoryOf(run)).hits.filter(blocks);
    const rules = hits.length > 0 ? rulesOf(hits) : memoryOf(run).denied.get(toolCall.id);
    return rules === undefined
      ? verdict.allow()
      : verdict.deny(`its arguments contain ${whole.terms.things} (${rules}); remove them`);
  };

  return { on, approve };
}

const blocks = ({ policy }: Hit) => policy === 'block';
const stopsRun = ({ surface, policy }: Hit) => policy === 'block' && (surface === 'prompt' || surface === 'context');

const reasonOf = (hits: readonly Hit[]) =>
  scanNotes(hits)
    .map(({ message }) => message)
    .join('; ');

function changed(messages: readonly Message[], scanned: readonly Scanned<Message>[]): readonly Message[] {
  if (scanned.every(({ clean }, index) => clean === messages[index])) return messages;
  return scanned.map(({ clean }) => clean);
}

/** Returns the event with its changes (or the same event) and notes: late ones, and one for each surface with findings. */
function notedEvent<E extends GateEvent>(
  event: E,
  changes: ChangesOf<E>,
  hits: readonly Hit[],
  late: NoteInput[] = [],
): E {
  let next = event;
  const given = changes as Partial<E>;
  for (const key in given) if (given[key] !== event[key]) next = modify(event, changes);
  if (late.length === 0 && hits.length === 0) return next;
  for (const note of [...late.splice(0), ...scanNotes(hits)]) next = modify(next, {}, { note });
  return next;
}
