import { userInfo } from 'node:os';
import { messageOf } from '../../../errors/describe-thrown.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { HostAnswer } from '../host-answer.ts';
import type { HostHookFlags } from '../host-hook-flags.ts';
import type { HostHooks } from '../host-hooks.ts';
import { answerClaude } from './answer-claude.ts';
import { type ClaudeMoment, namedMoment, type OtherMoment, readClaudeInput } from './claude-input.ts';
import { refuseClaude } from './refuse-claude.ts';

/** Ends calls that go on: nobody may take them for judged. */
export type Stops = Set<(why: unknown) => void>;

/** How one moment is judged. */
export interface JudgeClaudeOptions {
  readonly hooks: Pick<HostHooks, 'lease'>;
  readonly read: () => Promise<string>;
  /** Milliseconds that it may take, and of which so many are spent. */
  readonly timeoutMs: number;
  readonly spentMs?: number;
  readonly failOpen: boolean;
  /** As the option of the command. */
  readonly ask: HostHookFlags['ask'];
  /** Has what ends this call, while it goes on. */
  readonly stops: Stops;
  /** Gets the moment as soon as it is known, though it may not fit. */
  readonly onMoment?: (moment: ClaudeMoment) => void;
  /** Aborts where nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
  /** Says how it is refused; default: as a command hook. */
  readonly refuse?: (
    moment: ClaudeMoment | undefined,
    why: string,
  ) => { readonly code: number; readonly said?: JsonObject | undefined };
}

/** Judges one moment of Claude Code. Whatever goes wrong refuses, unless it is to let things go on. */
export async function judgeClaude(options: JudgeClaudeOptions): Promise<HostAnswer> {
  const {
    hooks,
    read,
    timeoutMs,
    spentMs = 0,
    failOpen,
    ask,
    stops,
    onMoment,
    signal,
    refuse = refuseClaude,
  } = options;
  const over = new AbortController();
  const stop = (why: unknown): void => over.abort(why);
  const leave = (): void => stop(new Error('nobody waits for the answer.'));
  const late = (): Error => new Error(`it took longer than ${timeoutMs} ms.`);
  const [began, limitMs] = [performance.now(), timeoutMs - spentMs];
  let moment: ClaudeMoment | undefined;

  async function judge(): Promise<HostAnswer> {
    const text = await read();
    // For what it is refused by, whatever else it says.
    moment = namedMoment(text);
    if (moment) onMoment?.(moment);
    const told = readClaudeInput(text);
    if (told.hook_event_name === 'other') return { code: 1, stdout: '', stderr: noPart(told) };
    moment = told;
    const { pipeline, release } = await hooks.lease(moment.cwd, over.signal);
    try {
      const answer = await answerClaude(pipeline, moment, { userId: userInfo().username, signal: over.signal, ask });
      await pipeline.flush();
      // A hook that has kept the thread has kept the timer from telling so.
      if (performance.now() - began > limitMs) throw late();
      return { code: 0, stdout: lineOf(answer), stderr: '' };
    } finally {
      release();
    }
  }

  const timer = setTimeout(() => stop(late()), limitMs);
  stops.add(stop);
  signal?.addEventListener('abort', leave);
  try {
    const stopped = new Promise<never>((_, reject) => {
      over.signal.addEventListener('abort', () => reject(over.signal.reason));
    });
    return await Promise.race([judge(), stopped]);
  } catch (thrown) {
    const why = messageOf(thrown);
    const end = failOpen ? 'It goes on without (--fail-open).' : 'Nothing was judged, so it is refused.';
    const { code, said } = failOpen ? { code: 1 } : refuse(moment, why);
    return { code, stdout: lineOf(said), stderr: `hookline could not judge this: ${sentence(why)} ${end}\n` };
  } finally {
    clearTimeout(timer);
    stops.delete(stop);
    signal?.removeEventListener('abort', leave);
  }
}

/** Not refused, for nobody can say what that would do; but told. */
function noPart({ name }: OtherMoment): string {
  return `hookline has no part in ${name}, so nothing was judged there. Take it out of the settings; hookline hook --as claude --install prints those that it judges.\n`;
}

/** What hosts show as one line. */
function sentence(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return /[.!?]$/.test(line) ? line : `${line}.`;
}

function lineOf(said: JsonObject | undefined): string {
  return said ? `${JSON.stringify(said)}\n` : '';
}
