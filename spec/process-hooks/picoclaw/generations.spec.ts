import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type HookEvent, respond, type SettledEvent, type ToolResult } from '../../../lib/index.ts';
import { afterLlmParams } from '../../../lib/process-hooks/picoclaw/after-llm.ts';
import { afterToolParams } from '../../../lib/process-hooks/picoclaw/after-tool.ts';
import { beforeLlmParams } from '../../../lib/process-hooks/picoclaw/before-llm.ts';
import { toolParams } from '../../../lib/process-hooks/picoclaw/before-tool.ts';
import {
  legacyParams,
  runtimeParams,
  toRuntimeEvents,
} from '../../../lib/process-hooks/picoclaw/observe/runtime-event.ts';
import { createTurnRecords } from '../../../lib/process-hooks/picoclaw/observe/turn-records.ts';
import { anEvent } from '../../../lib/testing/index.ts';
import { processScene } from './scene.ts';

/**
 * Messages of each host generation for the same turn (0.2.4 also stands for 0.2.5, 0.2.7 for 0.2.8): params by method, and a list of events. `<..>`
 * matches any text.
 */
const folder = join(__dirname, '../../fixtures/picoclaw');
const generations = readdirSync(folder).map((file) => file.replace(/\.json$/, ''));
const sentBy = (generation: string): Record<string, object> =>
  JSON.parse(readFileSync(join(folder, `${generation}.json`), 'utf8'));

const metadata = { channel: 'cli', chat_id: 'chat-1' };
const run = { runId: 'turn-1', sessionId: 'session-1', userId: 'user-1', agent: 'main', depth: 0, metadata };
const toolCall = { id: 'call-1', name: 'bash', input: { command: 'ls' } };
const own = { run, iteration: 1, toolCall };
const result: ToolResult = {
  ...{ content: 'a.txt', isError: false, forUser: 'One file.', handled: true },
  ...{ media: [{ url: 'media://1' }], artifactTags: ['file'] },
};
const thinking = { type: 'thinking', text: 'Hm.' } as const;
const media = { type: 'media', url: 'media://1' } as const;
const question = { role: 'user', parts: [{ type: 'text', text: 'look' }, media] } as const;

const preReasoning = anEvent.preReasoning({
  ...{ run, iteration: 1, model: 'a-model', purpose: 'summary' },
  messages: [
    { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
    question,
    { role: 'assistant', parts: [thinking, { type: 'toolCall', toolCall }] },
    {
      role: 'tool',
      parts: [
        {
          ...{ type: 'toolResult', toolCallId: 'call-1', toolName: 'bash' },
          result: { content: 'a.txt', isError: false },
        },
      ],
    },
  ],
  tools: [{ name: 'bash', description: 'Runs a command.', inputSchema: { type: 'object' }, permission: 'external' }],
  options: { maxOutputTokens: 100, temperature: 0.5 },
});
const postReasoning = anEvent.postReasoning(
  { role: 'assistant', parts: [thinking, { type: 'text', text: 'I will.' }, { type: 'toolCall', toolCall }] },
  { run, iteration: 1, usage: { inputTokens: 3, outputTokens: 2 }, finishReason: 'toolCalls' },
);
const preActing = anEvent.preActing('bash', {}, own);
const postActing = anEvent.postActing(result, { ...own, durationMs: 2 });
const answered = respond(preActing, result);

/** The turn of the fixtures, and the same as a sub-agent's if its events differ. */
const turn: HookEvent[] = [
  anEvent.preCall(question, { run: { ...run, depth: 1, parentRunId: 'turn-0' }, iteration: 1 }),
  anEvent.preCall(question, { run, iteration: 1 }),
  preReasoning,
  anEvent.text('Done.', { run, iteration: 1 }),
  anEvent.reasoningError('overloaded', { run, iteration: 1, decision: { action: 'retry', by: 'h' } }),
  postReasoning,
  preActing,
  postActing,
  anEvent.postActing('not today', { ...own, outcome: 'denied' }),
  anEvent.reasoningError('overloaded', { run, iteration: 1 }),
  anEvent.postCall('Done.', { run, iteration: 1 }),
  anEvent.postCall('Done.', { run: { ...run, depth: 1, parentRunId: 'turn-0' }, iteration: 1 }),
];

function events() {
  const recordOf = createTurnRecords();
  return turn.flatMap((event, nth) => {
    const one = { ...event, seq: nth, time: 1_000 + nth } as SettledEvent;
    return toRuntimeEvents(one, recordOf(one)).map((told) => ({
      told,
      runtime: runtimeParams(one, told, nth + 1),
      legacy: legacyParams(one, told),
    }));
  });
}

/** Returns places where `ours` lacks a field of `theirs` or has another value. */
function lacking(theirs: unknown, ours: unknown, at: string): string[] {
  if (typeof theirs === 'string' && theirs.startsWith('<')) return typeof ours === 'string' ? [] : [`${at}: no text`];
  if (typeof theirs !== 'object' || theirs === null) return theirs === ours ? [] : [`${at}: ${JSON.stringify(ours)}`];
  if (typeof ours !== 'object' || ours === null || Array.isArray(theirs) !== Array.isArray(ours))
    return [`${at}: ${JSON.stringify(ours)}`];
  return Object.entries(theirs).flatMap(([key, value]) =>
    lacking(value, (ours as Record<string, unknown>)[key], `${at}.${key}`),
  );
}

describe('requests to a PicoClaw hook', () => {
  let hello: object = {};
  before(async () => {
    const scene = processScene({}, { observe: ['*'] });
    await scene.settled();
    hello = scene.frames('hook.hello')[0]?.params ?? {};
    await scene.close();
  });

  it('has a fixture for each generation of the wire format', () => {
    expect(generations).to.deep.equal(['0.2.4', '0.2.6', '0.2.7', '0.2.9']);
  });

  for (const generation of generations) {
    it(`contains all fields of the host of ${generation}, per method`, () => {
      const sent: Record<string, string> = {
        'hook.hello': JSON.stringify(hello),
        'hook.before_llm': beforeLlmParams(preReasoning),
        'hook.after_llm': afterLlmParams(postReasoning, 'a-model'),
        'hook.before_tool': toolParams(answered, 'turn.tool.before'),
        'hook.approve_tool': toolParams(preActing, 'turn.tool.approve'),
        'hook.after_tool': afterToolParams(postActing),
      };
      const methods = Object.entries(sentBy(generation)).filter(([method]) => !method.endsWith('event'));
      expect(methods.map(([method]) => method)).to.deep.equal(Object.keys(sent));
      for (const [method, params] of methods)
        expect(lacking(params, JSON.parse(sent[method] ?? '{}'), method)).to.deep.equal([]);
    });

    it(`contains all events of the host of ${generation}, per kind`, () => {
      const { 'hook.event': old, 'hook.runtime_event': now } = sentBy(generation);
      const theirs = (now ?? old) as Record<string, unknown>[];
      const ours = events();
      expect(theirs).to.have.length(12);
      for (const one of theirs) {
        const found = ours.filter(({ told, legacy }) => told.kind === one['kind'] || legacy['Kind'] === one['Kind']);
        const issues = found.map(({ runtime, legacy }) => lacking(one, now ? runtime : legacy, String(one['kind'])));
        // If the turn has several of a kind, one must equal the fixture's.
        const least = issues.sort((a, b) => a.length - b.length)[0];
        expect(least, `kind ${one['kind'] ?? one['Kind']}`).to.deep.equal([]);
      }
    });
  }
});
