import { abort } from '../../events/decisions/abort.ts';
import { finish } from '../../events/decisions/finish.ts';
import { modify } from '../../events/decisions/modify.ts';
import { respond } from '../../events/decisions/respond.ts';
import { retry } from '../../events/decisions/retry.ts';
import type { Message } from '../../events/parts/message.ts';
import { assistantMessage, textOf, userMessage } from '../../events/parts/messages.ts';

import type { LoopCase } from './loop-case.ts';

const upper = (text: string): string => text.toUpperCase();

const replaced = (message: Message, from: string, to: string): Message => ({
  ...message,
  parts: message.parts.map((part) => (part.type === 'text' ? { ...part, text: part.text.replace(from, to) } : part)),
});

/** Decisions about the run and its model steps. */
export const callAndReasoningCases: Readonly<Record<string, LoopCase>> = {
  'nothing is decided': {
    hook: { name: 'watch', observe: () => {} },
    shows: ['Looking', 'seen', 'mild'],
    keeps: ['Looking', 'seen', 'mild'],
    prompts: 2,
  },

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
  'preReasoning: tools are changed': {
    hook: {
      name: 'h',
      on: {
        preReasoning: (event) =>
          event.iteration === 1
            ? modify(event, { tools: event.tools.filter(({ name }) => name !== 'peek') })
            : undefined,
      },
    },
    requests: [{ tools: ['look'] }, { tools: ['look', 'peek'] }],
  },
  'preReasoning: options are changed': {
    hook: {
      name: 'h',
      on: {
        preReasoning: (event) =>
          event.iteration === 1 ? modify(event, { options: { ...event.options, toolChoice: 'required' } }) : undefined,
      },
    },
    requests: [{ toolChoice: 'required' }, { toolChoice: 'auto' }],
  },
  'preReasoning: model is changed': {
    hook: {
      name: 'h',
      on: { preReasoning: (event) => (event.iteration === 1 ? modify(event, { model: 'other' }) : undefined) },
    },
    requests: [{ model: 'other' }, { model: 'scripted' }],
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
  'postReasoning: message is changed, and text waits for it': {
    hook: {
      name: 'h',
      on: { postReasoning: (event) => modify(event, { message: replaced(event.message, 'mild', 'warm') }) },
    },
    only: 'streamed',
    buffer: true,
    shows: ['Looking', 'warm'],
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
};
