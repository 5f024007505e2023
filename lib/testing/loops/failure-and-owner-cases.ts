import { modify } from '../../events/decisions/modify.ts';
import { respond } from '../../events/decisions/respond.ts';
import { retry } from '../../events/decisions/retry.ts';
import { assistantMessage } from '../../events/parts/messages.ts';
import { verdict } from '../../pipeline/define/hook.ts';

import type { LoopCase } from './loop-case.ts';

/** Decisions about failures and the end of a run, changes of the engine's own texts, and owners of runs. */
export const failureAndOwnerCases: Readonly<Record<string, LoopCase>> = {
  'error of the call: respond': {
    hook: {
      name: 'h',
      on: {
        preCall: () => {
          throw new Error('broken');
        },
        error: (event) => (event.phase === 'call' ? respond(event, 'My own words.') : undefined),
      },
    },
    quiet: true,
    outcome: 'responded',
    ran: [],
    calls: [],
    prompts: 0,
    shows: ['My own words.'],
    hides: ['Looking'],
  },
  'error of the model: respond': {
    hook: {
      name: 'h',
      on: { error: (event) => (event.phase === 'reasoning' ? respond(event, 'My own words.') : undefined) },
    },
    modelFails: true,
    outcome: 'responded',
    ran: [],
    calls: [],
    prompts: 1,
    shows: ['My own words.'],
    hides: ['Looking'],
  },
  'error of the model: retry': {
    hook: { name: 'h', on: { error: (event) => (event.phase === 'reasoning' ? retry(event) : undefined) } },
    modelFails: true,
    prompts: 3,
    shows: ['Looking', 'seen', 'mild'],
  },
  'error of the tool: respond': {
    hook: {
      name: 'h',
      on: { error: (event) => (event.phase === 'acting' ? respond(event, 'My own result.') : undefined) },
    },
    toolFails: 1,
    calls: ['responded'],
    shows: ['My own result.'],
    asks: ['My own result.'],
    hides: ['swordfish'],
    neverAsks: ['swordfish'],
  },
  'error of the tool: retry': {
    hook: { name: 'h', on: { error: (event) => (event.phase === 'acting' ? retry(event) : undefined) } },
    toolFails: 1,
    ran: ['look x', 'look x'],
    shows: ['seen'],
    asks: ['seen'],
    hides: ['swordfish'],
    neverAsks: ['swordfish'],
  },

  'redact: the reason of a deny': {
    hook: { name: 'h', redact: (text) => text.replaceAll('swordfish', 'a fish') },
    otherHook: { name: 'judge', approve: () => verdict.deny('no swordfish today') },
    ran: [],
    calls: ['denied'],
    asks: ['a fish'],
    hides: ['swordfish'],
    neverAsks: ['swordfish'],
  },
  'redact: the failure of a tool, and no other hook': {
    hook: { name: 'h', redact: (text) => text.replaceAll('swordfish', 'a fish') },
    toolFails: 1,
    calls: ['failed'],
    asks: ['a fish'],
    hides: ['swordfish'],
    neverAsks: ['swordfish'],
  },

  'postCall: message is changed': {
    hook: { name: 'h', on: { postCall: (event) => modify(event, { message: assistantMessage('It is warm.') }) } },
    only: 'whole',
    shows: ['warm'],
  },

  'events name the session, the user and the metadata': { hook: { name: 'watch', observe: () => {} }, owned: true },
  'events name them when a run resumes with an answer': {
    hook: { name: 'h', approve: () => verdict.suspend('Really?') },
    owned: true,
    outcome: 'suspended',
    ran: [],
    calls: [],
    prompts: 1,
    waits: true,
    answer: { approved: true, ran: ['look x'] },
  },
};
