import { defer, filter, isObservable, lastValueFrom, type Observable } from 'rxjs';
import { z } from 'zod';
import { parseOptions } from '../errors/parse-options.ts';
import { HooklineError } from '../errors.ts';
import type { EventOf, SettledEvent } from '../events/hook-event.ts';
import type { Message, MessageInput } from '../events/parts/message.ts';
import { modelOptionsSchema } from '../events/parts/model-options.ts';
import { duplicateTool } from '../pipeline/calls/offer-tools.ts';
import { createPipeline, extendPipeline, type Pipeline } from '../pipeline/create-pipeline.ts';
import type { ParentLink } from '../pipeline/define/hook-context.ts';
import { defineTool } from '../pipeline/define/tool.ts';
import type { Agent, AgentInput, AgentOptions, AgentRunOptions } from './agent.ts';
import { checkMessage } from './check-message.ts';
import { childHooks } from './child-hooks.ts';
import { type RunRequest, runAgent } from './run-agent.ts';
import { type Answers, parseAnswers, parseSnapshot } from './suspend/snapshot.ts';
import { memoryTranscript } from './transcript/memory-transcript.ts';
import type { TranscriptStore } from './transcript/transcript-store.ts';

const transcriptSchema = z
  .custom((value) => typeof (value as { load?: unknown } | null)?.load === 'function', 'must be a transcript store')
  .optional();

const optionsSchema = z.strictObject({
  name: z.string().min(1, 'must not be empty'),
  model: z.custom((value) => typeof value === 'function', 'must be a function of a request (see Model)'),
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

/** Makes a ReAct agent. Wrong options are `OPTIONS_INVALID`, two tools of one name `HOOK_DUPLICATE`. */
export function createAgent(options: AgentOptions): Agent {
  parseOptions('createAgent()', optionsSchema, options, otherNames);
  for (const tool of options.tools ?? []) defineTool(tool);
  const transcript = options.transcript ?? memoryTranscript();
  let pipeline = options.pipeline ?? createPipeline([]);
  assertToolsUnique(options, pipeline);
  /** By parent's pipeline, as long as the own one stays. */
  let merged = new WeakMap<Pipeline, Pipeline>();
  const use = (next: Pipeline): void => {
    pipeline = next;
    merged = new WeakMap();
  };

  const start = (input: AgentInput, request: Omit<RunRequest, 'options' | 'input'>): Observable<SettledEvent> =>
    defer(() => runAgent({ options, ...request, run: checkRunOptions(request.run), input: toInput(input) }));
  const agent: Agent = {
    name: options.name,
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

  /** A session that nobody has named cannot be gone on with: in memory it goes with its run. */
  function storeFor(run: AgentRunOptions): TranscriptStore {
    if (run?.transcript) return run.transcript;
    return options.transcript || run?.sessionId !== undefined ? transcript : memoryTranscript();
  }

  function hooksOf(run: AgentRunOptions): Pipeline {
    // Anything but a list is refused with the other options.
    if (!Array.isArray(run?.hooks)) return pipeline;
    const made = extendPipeline(pipeline, run.hooks);
    assertToolsUnique(options, made);
    return made;
  }

  function childRequest(parent: ParentLink): Omit<RunRequest, 'options' | 'input'> {
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

  /** A sub-agent runs under its parent's hooks and its own; only `child(.., { pipeline })` replaces them. */
  function hooksFor(parent: ParentLink): Pipeline {
    // Whoever hands it on knows less of it.
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

/** What a run is given, as messages; strings are the user's. A misfit is `INPUT_INVALID`. */
function toInput(input: AgentInput): readonly Message[] {
  const list = Array.isArray(input) ? (input as readonly MessageInput[]) : [input as MessageInput];
  return list.map((one, index) => checkMessage(one, `agent.run(input): message ${index}`));
}

/** Gives run options back as they are, if they fit; a fault is `OPTIONS_INVALID`. */
function checkRunOptions(options: AgentRunOptions): AgentRunOptions {
  parseOptions('agent.run()', runOptionsSchema, options);
  return options;
}
