import { abort } from '../../events/decisions/abort.ts';
import { deny } from '../../events/decisions/deny.ts';
import { finish } from '../../events/decisions/finish.ts';
import { modify } from '../../events/decisions/modify.ts';
import { respond } from '../../events/decisions/respond.ts';
import { verdict } from '../../pipeline/define/hook.ts';

import type { LoopCase } from './loop-case.ts';

const moved = { id: 'c1', name: 'look', input: { at: 'y' } };
const upper = (text: string): string => text.toUpperCase();

/** Decisions about a call. */
export const actingCases: Readonly<Record<string, LoopCase>> = {
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
  'actingChunk: finish': {
    hook: { name: 'h', on: { actingChunk: (event) => finish(event) } },
    shows: ['half way'],
    asks: ['half way'],
    hides: ['seen'],
    neverAsks: ['seen'],
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
