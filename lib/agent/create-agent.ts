import { asyncScheduler, defer, filter, isObservable, lastValueFrom, type Observable, switchMap } from 'rxjs';
import { z } from 'zod';
import { parseOptions } from '../errors/parse-options.ts';
import { HooklineError } from '../errors.ts';
import type { EventOf, SettledEvent } from '../events/hook-event.ts';
import type { Message, MessageInput } from '../events/parts/message.ts';
import { modelOptionsSchema } from '../events/parts/model-options.ts';
import { sessionOf } from '../events/parts/user-of.ts';
import { runWithout } from '../events/without-approvals.ts';
import { duplicateTool } from '../pipeline/calls/offer-tools.ts';
import { createPipeline, extendPipeline, type Pipeline } from '../pipeline/create-pipeline.ts';
import type { ParentLink } from '../pipeline/define/hook-context.ts';
import { defineTool } from '../pipeline/define/tool.ts';
import { defaultTimeouts } from '../pipeline/settings.ts';
import type { TranscriptStore } from '../store/transcripts/transcript-store.ts';
import type { Agent, AgentInput, AgentOptions, AgentRunOptions } from './agent.ts';
import { checkMessage } from './check-message.ts';
import { childHooks } from './child-hooks.ts';
import { readRun } from './recover/replay-run.ts';
import { type RunRequest, runAgent } from './run-agent.ts';
import { runWatcherSchema, watchSafely } from './run-watcher.ts';
import { type Answers, parseAnswers, parseSnapshot } from './suspend/snapshot.ts';
import { loadMessages } from './transcript/conversation.ts';
import { memoryTranscript } from './transcript/memory-transcript.ts';

const transcriptSchema = z
  .custom((value) => typeof (value as { load?: unknown } | null)?.load === 'function', 'must be a transcript store')
  .optional();

const optionsSchema = z.strictObject({
  name: z.string().min(1, 'must not be empty'),
  model: z.custom(
    (value) => typeof value === 'function',
    'is required and must be a function of a request (see Model)',
  ),
  instructions: z.string().optional(),
  tools: z.array(z.unknown()).optional(),
  pipeline: z
    .custom((value) => typeof (value as Pipeline | null)?.start === 'function', 'must come from createPipeline()')
    .optional(),
  transcript: transcriptSchema,
  maxIterations: z.int().positive().optional(),
  toolConcurrency: z.int().positive().optional(),
  parallel: z.enum(['reads', 'all']).optional(),
  modelOptions: modelOptionsSchema.optional(),
  deliver: z.custom((value) => typeof value === 'function', 'must be a function').optional(),
  mediaStore: z
    .custom((value) => typeof (value as { resolve?: unknown } | null)?.resolve === 'function', 'must be a media store')
    .optional(),
  runs: runWatcherSchema,
});

const stream = z.custom((value) => isObservable(value), 'must be an Observable').optional();

const runOptionsSchema = z.strictObject({
  sessionId: z.string().optional(),
  userId: z.string().optional(),
  metadata: z.unknown().optional(),
  maxIterations: z.int().positive().optional(),
  signal: z
    .custom((value) => typeof (value as AbortSignal | null)?.addEventListener === 'function', 'must be an AbortSignal')
    .optional(),
  steering$: stream,
  interrupt$: stream,
  hooks: z.array(z.unknown()).optional(),
  transcript: transcriptSchema,
  regenerate: z.boolean().optional(),
});

const otherNames = {
  ...{ systemPrompt: 'instructions', system: 'instructions', prompt: 'instructions', llm: 'model', id: 'name' },
  ...{ hooks: 'pipeline', middleware: 'pipeline', memory: 'transcript', checkpointer: 'transcript' },
  ...{
    maxSteps: 'maxIterations',
    maxTurns: 'maxIterations',
    stopWhen: 'maxIterations',
    modelSettings: 'modelOptions',
    options: 'modelOptions',
  },
};

/** Creates a ReAct agent. Throws `OPTIONS_INVALID` for invalid options, and `HOOK_DUPLICATE` for two tools with the same name. */
export function createAgent(options: AgentOptions): Agent {
  parseOptions('createAgent()', optionsSchema, options, otherNames);
  for (const tool of options.tools ?? []) defineTool(tool);
  const transcript = options.transcript ?? memoryTranscript();
  let pipeline = options.pipeline ?? createPipeline([]);
  assertToolsUnique(options, pipeline);
  /** By the parent's pipeline, until the agent's own pipeline changes. */
  let merged = new WeakMap<Pipeline, Pipeline>();
  const use = (next: Pipeline): void => {
    pipeline = next;
    merged = new WeakMap();
  };

  const start = (
    input: AgentInput,
    request: Omit<RunRequest, 'agent' | 'options' | 'input'>,
  ): Observable<SettledEvent> =>
    defer(() => {
      if (!request.parent) watchSafely(options.runs, agent, pipeline.options.log);
      return runAgent({ agent, options, ...request, run: checkRunOptions(request.run), input: toInput(input) });
    });
  const agent: Agent = {
    name: options.name,
    tools: options.tools ?? [],
    get pipeline() {
      return pipeline;
    },
    run: (input, run: AgentRunOptions = {}) => start(input, { pipeline: hooksOf(run), transcript: storeFor(run), run }),
    async call(input, run) {
      const own$ = agent
        .run(input, run)
        .pipe(
          filter(
            (event): event is SettledEvent<EventOf<'postCall'>> => event.type === 'postCall' && event.run.depth === 0,
          ),
        );
      return lastValueFrom(own$);
    },
    resume(value, given, run = {}) {
      const snapshot = parseSnapshot(value);
      const answers = parseAnswers(snapshot, given);
      const { sessionId, userId, metadata, agent: name } = snapshot.run;
      if (name !== options.name) {
        throw new HooklineError('SNAPSHOT_INVALID', `The snapshot is of agent "${name}", not of "${options.name}".`);
      }
      const who = { sessionId, ...(userId !== undefined && { userId }), ...(metadata && { metadata }) };
      return start([], {
        pipeline: hooksOf(run),
        transcript: run.transcript ?? transcript,
        run: { ...who, ...run },
        resume: { snapshot, answers },
      });
    },
    recover(journal, { writeAhead = false, ...run } = {}) {
      return readRun(journal, options.name).pipe(
        switchMap((replayed) => {
          const { sessionId, userId, metadata } = replayed.run;
          const who = { sessionId, ...(userId !== undefined && { userId }), ...(metadata && { metadata }) };
          return start([], {
            pipeline: hooksOf(run),
            transcript: run.transcript ?? transcript,
            // A user may have written approvals into the metadata. With `resumedFrom`, the audit log would record them as given.
            run: runWithout({ ...who, ...run }),
            recover: { replayed, writeAhead },
          });
        }),
      );
    },
    async history(sessionId) {
      const { scheduler = asyncScheduler, portTimeoutMs = defaultTimeouts.port, log } = pipeline.options;
      const loaded = loadMessages(transcript, sessionId, { scheduler, portTimeoutMs, log });
      return isObservable(loaded) ? lastValueFrom(loaded) : loaded;
    },
    addHook(hook) {
      const next = pipeline.with(hook);
      assertToolsUnique(options, next);
      use(next);
      return () => {
        if (pipeline.hooks.includes(hook)) use(pipeline.without(hook.name));
      };
    },
    runChild: (input, parent) => start(parent.snapshot ? [] : input, childRequest(parent)),
  };
  return agent;

  /** A session without an id cannot be continued, so its in-memory transcript ends with the run. */
  function storeFor(run: AgentRunOptions): TranscriptStore {
    if (run?.transcript) return run.transcript;
    // A value that is not a string is rejected with the other options.
    const session = typeof run?.sessionId === 'string' ? sessionOf(run) : run?.sessionId;
    return options.transcript || session !== undefined ? transcript : memoryTranscript();
  }

  function hooksOf(run: AgentRunOptions): Pipeline {
    // A value that is not a list is rejected with the other options.
    if (!Array.isArray(run?.hooks)) return pipeline;
    const made = extendPipeline(pipeline, run.hooks);
    assertToolsUnique(options, made);
    return made;
  }

  function childRequest(parent: ParentLink): Omit<RunRequest, 'agent' | 'options' | 'input'> {
    const { userId, metadata } = parent.run;
    const own = parent.options.metadata ?? metadata;
    const run = { ...(userId !== undefined && { userId }), ...(own && { metadata: own }) };
    const base = { pipeline: hooksFor(parent), transcript: memoryTranscript(), parent };
    if (!parent.snapshot) return { ...base, run };
    const snapshot = parseSnapshot(parent.snapshot);
    return {
      ...base,
      run: { ...run, sessionId: snapshot.run.sessionId },
      resume: { snapshot, answers: (parent.answers ?? {}) as unknown as Answers },
    };
  }

  /** A sub-agent runs with its parent's hooks and its own. Only `child(.., { pipeline })` replaces them. */
  function hooksFor(parent: ParentLink): Pipeline {
    // The code that forwards the link has a narrower type for it.
    const parents = (parent.options.pipeline ?? parent.pipeline) as Pipeline;
    if (parent.options.pipeline) return parents;
    const known = merged.get(parents);
    if (known) return known;
    const made = extendPipeline(parents, childHooks(parents.hooks, pipeline.hooks, options.name));
    assertToolsUnique(options, made);
    merged.set(parents, made);
    return made;
  }
}

function assertToolsUnique({ name, tools = [] }: AgentOptions, pipeline: Pipeline): void {
  const names = [...tools, ...pipeline.tools].map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw duplicateTool(`agent "${name}"`, twice);
}

/** Returns the input of a run as messages. Strings become user messages. Throws `INPUT_INVALID` for an invalid message. */
function toInput(input: AgentInput): readonly Message[] {
  const list = Array.isArray(input) ? (input as readonly MessageInput[]) : [input as MessageInput];
  return list.map((one, index) => checkMessage(one, `agent.run(input): message ${index}`));
}

/** Returns the run options, if they are valid. Throws `OPTIONS_INVALID` otherwise. */
function checkRunOptions(options: AgentRunOptions): AgentRunOptions {
  parseOptions('agent.run()', runOptionsSchema, options);
  return options;
}
