import { filter, firstValueFrom } from 'rxjs';
import { z } from 'zod';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import type { Permission } from '../../events/parts/tool-description.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import { withoutUndefined } from '../../events/values/without-undefined.ts';
import { prepareCall } from '../../pipeline/calls/prepare-call.ts';
import { Vault } from '../../pipeline/calls/vault.ts';
import { createPipeline } from '../../pipeline/create-pipeline.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import { type Hook, type TraceStep, verdict } from '../../pipeline/define/hook.ts';
import type { Tool } from '../../pipeline/define/tool.ts';
import type { PipelineOptions } from '../../pipeline/settings.ts';
import type { TraceReport } from '../../pipeline/trace/tracer.ts';
import { laterStages, whyNot } from './why-not.ts';

/** A hypothetical tool call to explain. */
export interface ExplainRequest {
  readonly tool: string;
  readonly input?: JsonObject | undefined;
  /** Default: the permission of the tool with this name, otherwise `external`. */
  readonly permission?: Permission | undefined;
  /** Default: `hookline`. */
  readonly agent?: string | undefined;
  /** The user of the run. Rules may apply to certain users only. */
  readonly user?: string | undefined;
  /** The session of the run. Default: a new one. */
  readonly session?: string | undefined;
  /** The number of model steps in the run. Default: 1. */
  readonly iteration?: number | undefined;
  /** The available tools. A call of another tool fails unless `permission` is set. If omitted, every tool name is accepted with any input. */
  readonly tools?: readonly Tool[] | undefined;
  readonly pipeline?: PipelineOptions;
}

/** The result of a dry run. */
export interface Explanation {
  readonly decision: {
    /** `ask`: an approval prompt would be sent. `fail`: the input does not match the schema of the tool, and no hook stops the call. */
    readonly action: 'proceed' | 'respond' | 'ask' | 'deny' | 'abort' | 'fail';
    /** The hook that decides. */
    readonly by?: string;
    readonly reason?: string;
  };
  /** The call as the tool would receive it. */
  readonly toolCall: ToolCall;
  /** The trace of every hook, in order. */
  readonly steps: readonly TraceStep[];
  /** The stages at which hooks would act once the call runs. */
  readonly later: readonly { readonly hook: string; readonly stages: readonly string[] }[];
  readonly notApplied: readonly { readonly hook: string; readonly why: string }[];
}

/** Runs the hooks on a call up to its decision. Approvers see `context.dryRun` and send no prompts. The tool does not run. */
export async function explainCall(hooks: readonly Hook[], request: ExplainRequest): Promise<Explanation> {
  const { tool: name, input = {}, agent = 'hookline', tools = [], user, session, iteration = 1 } = request;
  const known = tools.find((tool) => tool.name === name);
  const permission = request.permission ?? known?.permission ?? 'external';
  const asked: Tool = known ? { ...known, permission } : anyTool(name, permission);
  const pipeline = createPipeline([...hooks, lastJudge], { ...request.pipeline, trace: true });
  const reports: TraceReport[] = [];
  const watching = pipeline.traces$.subscribe((report) => reports.push(report));
  const brought = pipeline.tools.some((tool) => tool.name === name);
  const missing = request.tools && !known && !brought && request.permission === undefined;
  const offered = [...tools.filter((tool) => tool.name !== name), ...(brought || missing ? [] : [asked])];
  const run = pipeline.start(withoutUndefined({ agent, dryRun: true, iteration, userId: user, sessionId: session }));
  // Everything after preActing would be the call itself.
  const settled = await firstValueFrom(
    run
      .act({ id: 'explained', name, input }, offered)
      .pipe(filter((event) => event.type === 'preActing' || event.type === 'postActing')),
  );
  watching.unsubscribe();
  run.cancel('only explained');

  const seen = { agent, tool: settled.toolCall.name, permission };
  const all = reports.flatMap((report) => (isBefore(report) ? report.steps : []));
  const isValid = all.find(({ hook }) => hook === lastJudge.name)?.effect !== 'skipped';
  const notApplied = whyNot(hooks, seen);
  const silent = new Set([lastJudge.name, ...notApplied.map(({ hook }) => hook)]);
  return {
    decision:
      isValid || decided(settled) ? decisionOf(settled) : { action: 'fail', reason: misfit(settled.toolCall, offered) },
    toolCall: settled.toolCall,
    steps: all.filter(({ hook }) => !silent.has(hook)),
    later: laterStages(hooks, seen),
    notApplied,
  };
}

/** The last approver. If no hook has decided and it was not called, the input does not match the schema of the tool. */
const lastJudge = defineHook({ name: 'hookline:explain', priority: Number.MAX_VALUE, approve: verdict.allow });

function decided(event: Last): boolean {
  return event.type === 'postActing' || event.decision !== undefined;
}

function misfit(toolCall: ToolCall, tools: readonly Tool[]): string {
  const tool = tools.find(({ name }) => name === toolCall.name);
  const prepared = prepareCall(
    toolCall,
    tool,
    tools.map(({ name }) => name),
    new Vault(),
  );
  return 'refused' in prepared ? prepared.refused : 'the input does not match the schema of the tool';
}

function isBefore({ event }: TraceReport): boolean {
  return event.type === 'preActing' || event.type === 'error' || event.type === 'postActing';
}

type Last = Extract<TraceReport['event'], { type: 'preActing' | 'postActing' }>;

function decisionOf(event: Last): Explanation['decision'] {
  if (event.type === 'postActing') return { action: 'fail', reason: event.result.content };
  const { decision } = event;
  if (!decision) return { action: 'proceed' };
  const by = decision.by === undefined ? {} : { by: decision.by };
  if (decision.action === 'suspend') return { action: 'ask', ...by, reason: decision.prompt };
  const reason = 'reason' in decision && decision.reason !== undefined ? { reason: decision.reason } : {};
  return { action: decision.action, ...by, ...reason };
}

function anyTool(name: string, permission: Permission): Tool {
  return {
    name,
    description: 'An unknown tool.',
    permission,
    inputSchema: z.looseObject({}),
    execute: () => '',
  };
}
