import { abort } from '../../events/decisions/abort.ts';
import { deny } from '../../events/decisions/deny.ts';
import { finish } from '../../events/decisions/finish.ts';
import { modify } from '../../events/decisions/modify.ts';
import { respond } from '../../events/decisions/respond.ts';
import { retry } from '../../events/decisions/retry.ts';
import { assistantMessage, textOf, userMessage } from '../../events/parts/messages.ts';
import type { ActingOutcome } from '../../events/post-acting.ts';
import type { CallOutcome } from '../../events/post-call.ts';
import type { HookDefinition } from '../../pipeline/define/hook.ts';
import { verdict } from '../../pipeline/define/hook.ts';

/** What one decision of a hook has to come to, whatever the host. What is left out is as without the hook. */
export interface LoopCase {
  readonly hook: HookDefinition;
  /** Only where the host streams, or does not. */
  readonly only?: 'streamed' | 'whole';
  readonly outcome?: CallOutcome;
  /** The run rejects, or its stream ends, with `RunAborted`. */
  readonly aborts?: boolean;
  /** What ran, by name, with the `at` of its input. Default: look at x. */
  readonly ran?: readonly string[];
  readonly calls?: readonly ActingOutcome[];
  readonly shows?: readonly string[];
  readonly hides?: readonly string[];
  /** Texts of the last prompt. */
  readonly asks?: readonly string[];
  readonly neverAsks?: readonly string[];
  readonly prompts?: number;
  readonly waits?: boolean;
  /** The answer to the call that waits, and what has run then. */
  readonly answer?: { readonly approved: boolean; readonly ran: readonly string[] };
}

const moved = { id: 'c1', name: 'look', input: { at: 'y' } };
const upper = (text: string): string => text.toUpperCase();

/** Titles are what is decided, and where. */
export const loopCases: Readonly<Record<string, LoopCase>> = {
  'nothing is decided': { hook: { name: 'watch', observe: () => {} }, shows: ['Looking', 'seen', 'mild'], prompts: 2 },

  'preCall: messages are changed': {
    hook: {
      name: 'h',
      on: { preCall: (event) => modify(event, { messages: [...event.messages, userMessage('And be brief.')] }) },
    },
    asks: ['Go!', 'And be brief.', 'seen'],
  },
  'preCall: respond': {
    hook: { name: 'h', on: { preCall: (event) => respond(event, 'My own words.') } },
    outcome: 'responded',
    ran: [],
    calls: [],
    prompts: 0,
    shows: ['My own words.'],
    hides: ['Looking'],
  },
  'preCall: abort': {
    hook: { name: 'h', on: { preCall: (event) => abort(event, 'not today') } },
    outcome: 'aborted',
    aborts: true,
    ran: [],
    calls: [],
    prompts: 0,
  },

  'preReasoning: messages are changed': {
    hook: {
      name: 'h',
      on: { preReasoning: (event) => modify(event, { messages: [...event.messages, userMessage('Step by step.')] }) },
    },
    asks: ['Go!', 'Step by step.'],
  },
  'preReasoning: respond': {
    hook: { name: 'h', on: { preReasoning: (event) => respond(event, 'My own words.') } },
    ran: [],
    calls: [],
    outcome: 'responded',
    prompts: 0,
    shows: ['My own words.'],
  },
  'preReasoning: abort': {
    hook: { name: 'h', on: { preReasoning: (event) => (event.iteration === 2 ? abort(event, 'enough') : undefined) } },
    outcome: 'aborted',
    aborts: true,
    prompts: 1,
    hides: ['mild'],
  },

  'reasoningChunk: text is changed': {
    hook: { name: 'h', on: { reasoningChunk: (event) => modify(event, { delta: upper(event.delta) }) } },
    shows: ['LOOKING', 'MILD'],
    hides: ['Looking', 'mild'],
    asks: ['LOOKING'],
    neverAsks: ['Looking'],
  },
  'reasoningChunk: finish': {
    hook: { name: 'h', on: { reasoningChunk: (event) => (event.delta.includes('Look') ? finish(event) : undefined) } },
    ran: [],
    calls: [],
    prompts: 1,
    hides: ['mild'],
  },
  'reasoningChunk: abort': {
    hook: {
      name: 'h',
      on: { reasoningChunk: (event) => (event.delta.includes('mild') ? abort(event, 'enough') : undefined) },
    },
    outcome: 'aborted',
    aborts: true,
    prompts: 2,
    hides: ['mild'],
  },

  'postReasoning: message is changed': {
    hook: {
      name: 'h',
      on: {
        postReasoning: (event) =>
          textOf(event.message).includes('mild')
            ? modify(event, { message: assistantMessage('It is warm.') })
            : undefined,
      },
    },
    only: 'whole',
    shows: ['warm'],
    hides: ['mild'],
  },
  'postReasoning: retry': {
    hook: {
      name: 'h',
      on: {
        postReasoning: (event) => (event.iteration === 1 ? retry(event, [userMessage('Look harder.')]) : undefined),
      },
    },
    ran: [],
    calls: ['skipped'],
    asks: ['Look harder.'],
    shows: ['mild'],
    prompts: 2,
  },
  'postReasoning: finish': {
    hook: { name: 'h', on: { postReasoning: (event) => finish(event) } },
    outcome: 'finished',
    ran: [],
    calls: ['skipped'],
    prompts: 1,
    shows: ['Looking'],
    hides: ['mild'],
  },
  'postReasoning: abort': {
    hook: { name: 'h', on: { postReasoning: (event) => abort(event, 'enough') } },
    outcome: 'aborted',
    aborts: true,
    ran: [],
    calls: ['skipped'],
    prompts: 1,
  },

  'preActing: input is changed': {
    hook: { name: 'h', on: { preActing: (event) => modify(event, { toolCall: moved }) } },
    ran: ['look y'],
  },
  'preActing: tool is renamed': {
    hook: { name: 'h', on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, name: 'peek' } }) } },
    ran: ['peek x'],
    shows: ['peeked'],
    asks: ['peeked'],
  },
  'preActing: a value is sealed': {
    hook: {
      name: 'h',
      on: {
        preActing: (event, { seal }) =>
          modify(event, { toolCall: { ...event.toolCall, input: { at: seal('place', 'swordfish') } } }),
      },
    },
    ran: ['look swordfish'],
    hides: ['swordfish'],
    neverAsks: ['swordfish'],
  },
  'preActing: respond': {
    hook: { name: 'h', on: { preActing: (event) => respond(event, 'My own result.') } },
    ran: [],
    calls: ['responded'],
    shows: ['My own result.'],
    asks: ['My own result.'],
  },
  'preActing: deny': {
    hook: { name: 'h', on: { preActing: (event) => deny(event, 'too risky') } },
    ran: [],
    calls: ['denied'],
    asks: ['too risky'],
  },
  'preActing: abort': {
    hook: { name: 'h', on: { preActing: (event) => abort(event, 'enough') } },
    outcome: 'aborted',
    aborts: true,
    ran: [],
    calls: ['skipped'],
    prompts: 1,
  },
  'approve: allow': { hook: { name: 'h', approve: () => verdict.allow() }, asks: ['seen'] },
  'approve: deny': {
    hook: { name: 'h', approve: () => verdict.deny('too risky') },
    ran: [],
    calls: ['denied'],
    asks: ['too risky'],
  },
  'approve: suspend, and yes': {
    hook: { name: 'h', approve: () => verdict.suspend('Really?') },
    outcome: 'suspended',
    ran: [],
    calls: [],
    prompts: 1,
    waits: true,
    answer: { approved: true, ran: ['look x'] },
  },
  'approve: suspend, and no': {
    hook: { name: 'h', approve: () => verdict.suspend('Really?') },
    outcome: 'suspended',
    ran: [],
    calls: [],
    prompts: 1,
    waits: true,
    answer: { approved: false, ran: [] },
  },
  'approve: suspend of a changed call, and yes': {
    hook: {
      name: 'h',
      on: { preActing: (event) => modify(event, { toolCall: moved }) },
      approve: () => verdict.suspend('Really?'),
    },
    outcome: 'suspended',
    ran: [],
    calls: [],
    prompts: 1,
    waits: true,
    answer: { approved: true, ran: ['look y'] },
  },

  'actingChunk: text is changed': {
    hook: { name: 'h', on: { actingChunk: (event) => modify(event, { content: upper(event.content) }) } },
    only: 'streamed',
    shows: ['HALF WAY'],
    hides: ['half way'],
  },
  'actingChunk: abort': {
    hook: { name: 'h', on: { actingChunk: (event) => abort(event, 'enough') } },
    outcome: 'aborted',
    aborts: true,
    calls: ['cancelled'],
    prompts: 1,
    hides: ['half way'],
  },
  'postActing: result is changed': {
    hook: {
      name: 'h',
      on: { postActing: (event) => modify(event, { result: { ...event.result, content: 'nothing there' } }) },
    },
    shows: ['nothing there'],
    asks: ['nothing there'],
    hides: ['seen'],
    neverAsks: ['seen'],
  },
  'postActing: finish': {
    hook: { name: 'h', on: { postActing: (event) => finish(event) } },
    outcome: 'finished',
    prompts: 1,
    hides: ['mild'],
  },
  'postActing: abort': {
    hook: { name: 'h', on: { postActing: (event) => abort(event, 'enough') } },
    outcome: 'aborted',
    aborts: true,
    prompts: 1,
  },
};
