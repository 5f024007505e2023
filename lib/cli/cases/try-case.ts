import { filter, lastValueFrom } from 'rxjs';
import { explainConfigured } from '../../config/explain/explain-configured.ts';
import type { HookLease } from '../../config/live/generation.ts';
import { isPrompt, textOf, userMessage } from '../../events/parts/messages.ts';
import { toolResult } from '../../events/parts/tool-result.ts';
import { canonicalJson } from '../../events/values/canonical-json.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import { withoutUndefined } from '../../events/values/without-undefined.ts';
import { RunAborted } from '../../loops/run-aborted.ts';
import { startLoopRun } from '../../loops/start-loop-run.ts';
import { createPipeline, type Pipeline } from '../../pipeline/create-pipeline.ts';
import type { TraceStep } from '../../pipeline/define/hook.ts';
import type { Tool } from '../../pipeline/define/tool.ts';
import { workspaceTools } from '../../tools/index.ts';
import { workspaceOf } from '../setup/workspace-of.ts';
import type { caseActions, PolicyCase } from './case-file.ts';

/** What the hooks decide about a case. */
export interface Outcome {
  readonly action: (typeof caseActions)[number] | 'fail';
  readonly by?: string | undefined;
  readonly reason?: string | undefined;
  /** Of a call: the input that the tool receives, if hooks changed it. */
  readonly input?: JsonObject | undefined;
  /** Of a prompt or result: the text after all hooks, if they changed it. */
  readonly text?: string | undefined;
  /** What each hook did. */
  readonly steps?: readonly TraceStep[];
}

/** What the cases of a policy share. */
export interface CaseBed {
  readonly lease: HookLease;
  /** The hooks that run no programs, with a trace. */
  readonly pipeline: Pipeline;
  /** The tools of the workspace. */
  readonly tools: readonly Tool[];
}

/** Prepares the cases of a policy. */
export function caseBed(lease: HookLease): CaseBed {
  const root = workspaceOf(undefined, lease.config.settings.workspace);
  return { lease, pipeline: dryPipeline(lease), tools: workspaceTools({ root }) };
}

/** Returns the hooks that run no programs, with a trace. */
export function dryPipeline({ config, pipeline }: HookLease): Pipeline {
  const programs = new Set(
    config.hooks.flatMap(({ name, kind }) => (['process', 'command'].includes(kind.name) ? [name] : [])),
  );
  const hooks = pipeline.hooks.filter(({ name }) => !programs.has(name));
  return createPipeline(hooks, { trace: true });
}

/** Passes a case through the hooks of a policy, in a dry run. */
export async function tryCase(bed: CaseBed, asked: PolicyCase): Promise<Outcome> {
  if (asked.call) return tryCall(bed, asked, asked.call);
  const { prompt, result } = asked;
  const steps: TraceStep[] = [];
  const watching = bed.pipeline.traces$.subscribe((report) => steps.push(...report.steps));
  try {
    const outcome = await (result ? tryResult(bed, asked, result) : tryPrompt(bed, asked, prompt ?? ''));
    return { ...outcome, steps };
  } finally {
    watching.unsubscribe();
  }
}

async function tryCall(
  { lease, tools }: CaseBed,
  { agent, user, session }: PolicyCase,
  { tool, input, permission }: NonNullable<PolicyCase['call']>,
): Promise<Outcome> {
  const isKnown = tools.some(({ name }) => name === tool);
  const { decision, toolCall, steps } = await explainConfigured(lease, {
    tool,
    input,
    permission: permission ?? (isKnown ? undefined : 'external'),
    agent: agent ?? lease.config.settings.agent?.name,
    user,
    session,
    tools,
  });
  const { action, by, reason } = decision;
  const changed = canonicalJson(toolCall.input) === canonicalJson(input) ? undefined : toolCall.input;
  return { action: action === 'proceed' ? 'allow' : action, by, reason, input: changed, steps };
}

async function tryPrompt(bed: CaseBed, asked: PolicyCase, prompt: string): Promise<Outcome> {
  const loop = startLoopRun(bed.pipeline, runOf(bed, asked));
  try {
    const { messages, answer } = await loop.begin([userMessage(prompt)]);
    if (answer) return { action: 'respond', text: textOf(answer) };
    const text = textOf(messages.findLast(isPrompt));
    return { action: 'allow', text: text === prompt ? undefined : text };
  } catch (thrown) {
    if (!(thrown instanceof RunAborted)) throw thrown;
    const { reason, by } = thrown.decision;
    return { action: 'abort', by, reason };
  } finally {
    loop.run.cancel('only tried');
  }
}

async function tryResult(
  bed: CaseBed,
  asked: PolicyCase,
  { tool: name, input, content, permission = 'external' }: NonNullable<PolicyCase['result']>,
): Promise<Outcome> {
  const { run } = startLoopRun(bed.pipeline, runOf(bed, asked));
  const tool: Tool = { name, description: 'A tool.', permission, inputSchema: { type: 'object' }, execute: () => '' };
  const posts$ = run
    .act({ id: 'case', name, input }, [tool], { result: toolResult(content) })
    .pipe(filter((event) => event.type === 'postActing'));
  const post = await lastValueFrom(posts$, { defaultValue: undefined });
  const fatal = run.fatal;
  run.cancel('only tried');
  if (fatal !== undefined) throw fatal;
  const { decision } = post ?? {};
  const text = post?.result.content;
  const changed = text === content ? undefined : text;
  if (decision?.action === 'abort') return { action: 'abort', by: decision.by, reason: decision.reason, text: changed };
  return { action: 'allow', text: changed };
}

function runOf({ lease }: CaseBed, { agent = lease.config.settings.agent?.name, user, session }: PolicyCase) {
  return withoutUndefined({ agent: agent ?? 'hookline', dryRun: true, userId: user, sessionId: session });
}
