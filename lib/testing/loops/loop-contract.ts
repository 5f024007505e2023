import { isDeepStrictEqual } from 'node:util';
import { propertyOf } from '../../errors/describe-thrown.ts';
import type { Recorder } from '../recorder.ts';
import type { LoopCase } from './loop-case.ts';
import { loopCases } from './loop-cases.ts';
import type { LoopHost, LoopOutcome } from './loop-host.ts';
import { owner, sceneOf } from './scene-of.ts';

/** One check of the contract. `check` rejects with the issue. */
export interface LoopCheck {
  readonly title: string;
  /** Why the host does not support it, if declared. */
  readonly cannot?: string;
  check(): Promise<void>;
}

/**
 * Returns checks of hooks around a loop, streamed and whole, for each decision at each event. Calls that ran, the UI, the stored messages and the
 * next prompt must agree. There must be one postCall, and every call must be settled. Pass each check to your test runner.
 */
export function loopContract(host: LoopHost): readonly LoopCheck[] {
  return Object.entries(loopCases).flatMap(([title, one]) =>
    [false, true]
      .filter((streamed) => one.only === undefined || (one.only === 'streamed') === streamed)
      .map((streamed) => ({
        title: `${title} (${streamed ? 'streamed' : 'whole'})`,
        ...(host.cannot?.[title] !== undefined && { cannot: host.cannot[title] }),
        check: () => tryCase(host, one.waits && host.asks === false ? unasked(one) : one, streamed),
      })),
  );
}

/** The case for a host without approval prompts. */
function unasked({ hook, owned = false }: LoopCase): LoopCase {
  return { hook, owned, ran: [], calls: ['denied'], asks: ['Really?'] };
}

async function tryCase(host: LoopHost, one: LoopCase, streamed: boolean): Promise<void> {
  const { scene, ran, recorded } = sceneOf(one, streamed);
  const outcome = await host.run(scene);
  const { ran: expected = ['look x'] } = one;
  same('what ran', ran, expected);
  if (one.aborts) same('what the run rejects with', propertyOf(outcome.error, 'code'), 'RUN_ABORTED');
  else same('what the run rejects with', outcome.error, undefined);
  same('whether a call waits', outcome.waits ?? false, one.waits ?? false);
  sameOutcome(recorded, one);
  const usual = one.outcome === undefined && !one.aborts;
  same('requests to the model', outcome.prompts.length, one.prompts ?? (usual ? 2 : outcome.prompts.length));
  texts(outcome, one);
  sameRequests(outcome, one);
  if (one.answer) await tryAnswer(outcome, one.answer, ran, recorded);
  settled(recorded, one.waits ? 1 : 0);
  if (one.owned) ownedBy(recorded, owner);
}

function sameOutcome(recorded: Recorder, one: LoopCase): void {
  const posts = recorded.of('postCall');
  same('how many postCalls there are', posts.length, 1);
  same('the outcome', posts[0]?.outcome, one.outcome ?? 'completed');
  const calls = recorded.of('postActing').map(({ outcome }) => outcome);
  same('what the calls came to', calls, one.calls ?? ['executed']);
}

function texts({ screen, prompts, stored }: LoopOutcome, one: LoopCase): void {
  const last = prompts.at(-1) ?? '';
  for (const text of one.shows ?? []) holds('the screen', screen, text, true);
  for (const text of one.hides ?? []) {
    holds('the screen', screen, text, false);
    holds('what is stored', stored, text, false);
  }
  for (const text of one.keeps ?? []) holds('what is stored', stored, text, true);
  for (const text of one.asks ?? []) holds('the last prompt', last, text, true);
  for (const text of one.neverAsks ?? []) for (const prompt of prompts) holds('a prompt', prompt, text, false);
}

function sameRequests({ requests }: LoopOutcome, one: LoopCase): void {
  if (!one.requests) return;
  if (!requests)
    throw new Error(
      'the host does not report the requests beyond their messages: set `requests` in the outcome of `run`',
    );
  for (const [index, expected] of one.requests.entries())
    for (const [field, value] of Object.entries(expected)) {
      const found = requests[index]?.[field as keyof typeof expected];
      same(`${field} of request ${index + 1}`, field === 'toolChoice' ? (found ?? 'auto') : found, value);
    }
}

async function tryAnswer(
  { resume }: LoopOutcome,
  answer: NonNullable<LoopCase['answer']>,
  ran: readonly string[],
  recorded: Recorder,
): Promise<void> {
  if (!resume) throw new Error('the call that waits cannot be answered');
  const outcome = await resume(answer.approved);
  same('what the answered run rejects with', outcome.error, undefined);
  same('what ran when it was answered', ran, answer.ran);
  const came = recorded.of('postActing').map(({ outcome }) => outcome);
  same('what the answered call came to', came, [answer.approved ? 'executed' : 'denied']);
  same('the outcome of the answered run', recorded.of('postCall').at(-1)?.outcome, 'completed');
  holds('the screen', outcome.screen, 'mild', true);
}

/** Every started call must have ended, except pending ones. */
function settled(recorded: Recorder, waiting: number): void {
  const begun = recorded.of('preActing').filter(({ decision }) => decision?.action !== 'suspend');
  const over = recorded.of('postActing').map(({ toolCall }) => toolCall.id);
  for (const { toolCall } of begun)
    if (!over.includes(toolCall.id)) throw new Error(`the call ${toolCall.id} is not over`);
  same('postCalls for preCalls', recorded.of('postCall').length, recorded.of('preCall').length);
  if (waiting > 0 && recorded.of('preActing').every(({ decision }) => decision?.action !== 'suspend'))
    throw new Error('no call was suspended');
}

function ownedBy({ events }: Recorder, { sessionId, userId, metadata }: typeof owner): void {
  for (const { type, run } of events) {
    same(`the session of a ${type}`, run.sessionId, sessionId);
    same(`the user of a ${type}`, run.userId, userId);
    same(`the metadata of a ${type}`, run.metadata, metadata);
  }
}

function same(what: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return;
  const actual = found instanceof Error ? String(found) : JSON.stringify(found);
  throw new Error(`${what}: ${actual}, not ${JSON.stringify(expected)}`);
}

function holds(what: string, text: string, part: string, expected: boolean): void {
  if (text.includes(part) === expected) return;
  throw new Error(`${what} ${expected ? 'lacks' : 'has'} ${JSON.stringify(part)}: ${text.slice(0, 2_000)}`);
}
