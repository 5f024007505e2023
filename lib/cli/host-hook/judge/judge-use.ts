import { randomUUID } from 'node:crypto';
import { filter, lastValueFrom } from 'rxjs';
import type { EventOf } from '../../../events/hook-event.ts';
import type { ToolCall } from '../../../events/parts/tool-call.ts';
import { canonicalJson } from '../../../events/values/canonical-json.ts';
import type { JsonObject, JsonValue } from '../../../events/values/json-value.ts';
import { judgeCall } from '../../../loops/judge-call.ts';
import { rawResult } from '../../../loops/raw-result.ts';
import type { Run } from '../../../pipeline/run/run.ts';
import type { HostCall } from './host-call.ts';
import type { CallMoment, ResultMoment, Verdict } from './host-moment.ts';

/**
 * Passes a call through the hooks: they rewrite it, and approvers decide. The host runs the call. `mayAsk`: whether the host's user may be asked. `dryRun`: the
 * run is one, so a call that nobody refuses is over, too.
 */
export async function judgeUse(run: Run, moment: CallMoment, mayAsk: boolean, dryRun = false): Promise<Verdict> {
  const { use, can, raw } = moment;
  // A call without an id gets a unique one, so that limits count it.
  const call = raw['tool_use_id'] === undefined ? { ...use.call, id: `${use.call.id}-${randomUUID()}` } : use.call;
  const judged = await judgeCall(run, call, [use.tool]);
  const { event, state } = judged;
  const post = state === 'over' ? await judged.execute() : undefined;
  const isReady = dryRun && post?.outcome === 'skipped' && event && !event.decision;
  if (state === 'over' && !isReady) {
    const ended = can.end && event?.decision?.action === 'abort' ? { ended: event.decision.reason } : {};
    return { refused: reasonOf(post), ...ended };
  }
  const input = event ? changeOf(use, call, event.toolCall) : undefined;
  if (input === 'impossible') {
    await judged.skip('this host cannot run the call');
    return { refused: CANNOT };
  }
  if (state === 'suspended') {
    const why = event?.decision?.action === 'suspend' ? event.decision.prompt : 'A hook requires approval.';
    const verdict = asking(moment, why, input, mayAsk);
    return verdict.refused?.startsWith(NO_PROMPTS) ? { refused: `${verdict.refused}${HELP}` } : verdict;
  }
  const verdict = input ? rewriting(moment, input, mayAsk) : {};
  if (verdict.refused === undefined && moment.known !== undefined) {
    await judged.skip('the host has the result');
    return (await hides(run, moment, moment.known)) ? { refused: HIDDEN } : verdict;
  }
  // The host runs it. Its result arrives as another event, often in another process.
  await judged.skip(verdict.refused === undefined ? 'the host runs the call' : 'this host has no approval prompts');
  return verdict;
}

const CANNOT = 'A hook renamed the call, set a field twice, or sealed a value in it. This host supports none of these.';
const HIDDEN = 'A hook changed the content, which this host cannot replace.';
const NO_PROMPTS = 'This host has no approval prompts, so the call is denied';
const HELP = '\nTo allow it, add an allow rule to the configuration of hookline, or ask on its page with --inbox.';

function asking({ can }: CallMoment, why: string, input: JsonObject | undefined, mayAsk: boolean): Verdict {
  if (can.ask === 'always') return input ? { refused: UNSUPPORTED } : {};
  if (!mayAsk || can.ask === undefined) return { refused: `${NO_PROMPTS}: ${why}` };
  if (input && !can.rewrite) return { refused: UNSUPPORTED };
  return { asked: why, ...(input && { input }) };
}

const UNSUPPORTED = 'A hook changed the call, which this event does not support.';

/** Without a decision, the host's own rules would evaluate the original input, which does not run. */
function rewriting(moment: CallMoment, input: JsonObject, mayAsk: boolean): Verdict {
  if (moment.can.rewrite === 'silent') return { input };
  return asking(moment, `A hook changed the input of ${moment.use.name}.`, input, mayAsk);
}

/** Returns the changed input, or `impossible` if the host cannot run the evaluated call. */
function changeOf(use: HostCall, call: ToolCall, judged: ToolCall): JsonObject | 'impossible' | undefined {
  const theirs = use.toTheirs(judged);
  if (theirs === undefined || JSON.stringify(judged.input).includes('"$sealed":')) return 'impossible';
  return canonicalJson(judged.input) === canonicalJson(call.input) ? undefined : theirs;
}

/** Returns the reason of a denial, with its hook. The response of a hook can only be sent as the reason. */
function reasonOf(post: EventOf<'postActing'> | undefined): string {
  // Some hosts treat a denial without a reason as an error, and run the call.
  if (!post?.result.content.trim()) return 'A hook denied the call.';
  if (post.outcome !== 'responded') return post.result.content;
  return `A hook responded to this call, so the tool did not run. The response: ${post.result.content}`;
}

/** Returns whether hooks change a result, or end the run after it. */
async function hides(run: Run, { use }: CallMoment, value: JsonValue): Promise<boolean> {
  const { post, changed } = await passed(run, use, value, false);
  return changed !== undefined || post?.decision !== undefined;
}

/** Passes a result through the hooks. */
export async function judgeResult(run: Run, moment: ResultMoment): Promise<Verdict> {
  const { use, can, value, failed } = moment;
  const { post, changed } = await passed(run, use, value, failed);
  const ended = post?.decision ? { ended: endOf(post) } : {};
  const end = can.end ? ended : {};
  if (!changed) return can.end || !post?.decision ? end : { lost: `the end of the turn: ${endOf(post)}` };
  if (can.replace && !failed) return { ...end, output: changed };
  if (can.context) return { ...end, context: `A hook changed the ${failed ? 'error' : 'result'} to: ${changed.text}` };
  return { ...end, lost: `a changed result of ${use.name}` };
}

interface Passed {
  readonly post: EventOf<'postActing'> | undefined;
  readonly changed: Verdict['output'];
}

async function passed(run: Run, { call, tool, name }: HostCall, value: JsonValue, failed: boolean): Promise<Passed> {
  const raw = rawResult(value, name);
  const result = { ...raw.result, isError: failed };
  const posts$ = run.act(call, [tool], { result }).pipe(filter((event) => event.type === 'postActing'));
  const post = await lastValueFrom(posts$, { defaultValue: undefined });
  if (run.fatal !== undefined) throw run.fatal;
  if (!post || post.result.content === raw.result.content) return { post, changed: undefined };
  return { post, changed: { text: post.result.content, value: failed ? undefined : raw.restore(post.result) } };
}

function endOf({ decision }: EventOf<'postActing'>): string {
  return decision?.action === 'abort' ? decision.reason : `hook "${decision?.by}" ended the run`;
}
