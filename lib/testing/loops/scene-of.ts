import { createPipeline } from '../../pipeline/create-pipeline.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import { silentLogger } from '../../pipeline/logger.ts';
import { type Recorder, recorder } from '../recorder.ts';
import type { LoopCase } from './loop-case.ts';
import type { LoopScene, LoopTool } from './loop-host.ts';

/** A scene with its observed effects. */
export interface PlayedScene {
  readonly scene: LoopScene;
  /** Calls that ran: the name with the `at` of the input. */
  readonly ran: readonly string[];
  readonly recorded: Recorder;
}

/** Owner of runs that have one. */
export const owner = { sessionId: 'session', userId: 'user', metadata: { channel: 'chat', place: 7 } };

/** Creates the scene of a case: an answer with a call, and a second answer. */
export function sceneOf(one: LoopCase, streamed: boolean, options: { readonly trace?: boolean } = {}): PlayedScene {
  const ran: string[] = [];
  const recorded = recorder();
  const hooks = one.otherHook ? [one.hook, one.otherHook] : [one.hook];
  const settings = { ...options, ...(one.quiet && { log: silentLogger }) };
  const scene: LoopScene = {
    pipeline: createPipeline([...hooks.map(defineHook), recorded], settings),
    agent: 'guest',
    question: 'Go!',
    turns: [
      ...(one.modelFails ? [{ chunks: [], error: new Error('the model is down') }] : []),
      { chunks: ['Look', 'ing. '], calls: [{ id: 'c1', name: 'look', input: { at: 'x' } }] },
      { chunks: ['It is ', 'mild.'] },
    ],
    tools: [tool('look', 'seen', ran, one.toolFails), tool('peek', 'peeked', ran)],
    streamed,
    ...(one.owned && { who: owner }),
    ...(one.buffer && { buffer: true }),
  };
  return { scene, ran, recorded };
}

function tool(name: string, result: string, ran: string[], fails = 0): LoopTool {
  let failed = 0;
  return {
    name,
    description: `Has a ${name}.`,
    inputSchema: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] },
    progress: ['half way'],
    execute(input) {
      ran.push(`${name} ${input['at']}`);
      if (failed++ < fails) throw new Error('no swordfish today');
      return result;
    },
  };
}
