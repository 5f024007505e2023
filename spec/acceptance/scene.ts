import {
  type Agent,
  type AgentInput,
  type AgentOptions,
  type AgentRunOptions,
  createAgent,
  createPipeline,
  type EventOf,
  type EventType,
  type Hook,
  type Message,
  memoryTranscript,
  type PipelineOptions,
  type PostCall,
  type SettledEvent,
} from 'hookline';
import { describeEvent, type ScriptedModel, scriptedModel } from 'hookline/testing';
import type { Observable } from 'rxjs';

type Turns = Parameters<typeof scriptedModel>[0];
type Transcript = ReturnType<typeof memoryTranscript>;

/** What a run that has ended was. */
export interface Played {
  readonly events: readonly SettledEvent[];
  readonly post: SettledEvent<PostCall>;
  of<T extends EventType>(type: T): readonly SettledEvent<EventOf<T>>[];
  lines(...types: readonly EventType[]): readonly string[];
}

export interface StageOptions extends Omit<Partial<AgentOptions>, 'model' | 'transcript'> {
  readonly turns: Turns;
  readonly hooks?: readonly Hook[];
  readonly settings?: PipelineOptions;
  readonly transcript?: Transcript;
}

/** An agent with a scripted model, whose runs are all of session `s`. */
export interface Stage {
  readonly agent: Agent;
  readonly model: ScriptedModel;
  readonly transcript: Transcript;
  run(input?: AgentInput, options?: AgentRunOptions): Played;
  /** The messages of the session, a line each. */
  remembered(): readonly string[];
  /** The messages of the model's request of that number, a line each. */
  asked(index: number): readonly string[];
}

export function stage({ turns, hooks = [], settings, transcript = memoryTranscript(), ...own }: StageOptions): Stage {
  const model = scriptedModel(turns);
  const agent = createAgent({
    name: 'MyAgent',
    pipeline: createPipeline(hooks, settings),
    ...own,
    model,
    transcript,
  });
  return {
    agent,
    model,
    transcript,
    run: (input = 'go', options) => play(agent.run(input, { sessionId: 's', ...options })),
    remembered: () => show(transcript.sessions.get('s') ?? []),
    asked: (index) => show(model.requests[index]?.messages ?? []),
  };
}

/** Runs to the end, which must come synchronously. */
export function play(events$: Observable<SettledEvent>): Played {
  const events: SettledEvent[] = [];
  let completed = false;
  events$.subscribe({
    next: (event) => events.push(event),
    complete: () => {
      completed = true;
    },
  });
  if (!completed)
    throw new Error(`The run has not ended synchronously:\n${events.map((e) => describeEvent(e)).join('\n')}`);
  return played(events);
}

export function played(events: readonly SettledEvent[]): Played {
  return {
    events,
    get post() {
      const post = events.findLast(({ type, run }) => type === 'postCall' && run.depth === 0);
      if (post?.type !== 'postCall') throw new Error('The run has no postCall.');
      return post;
    },
    of: <T extends EventType>(type: T) =>
      events.filter((event) => event.type === type) as unknown as SettledEvent<EventOf<T>>[],
    lines: (...types) =>
      events.filter(({ type }) => types.length === 0 || types.includes(type)).map((event) => describeEvent(event)),
  };
}

/** Messages, a line each: the role, texts as they are, calls and results in brackets. */
export function show(messages: readonly Message[]): readonly string[] {
  return messages.map(({ role, parts }) => {
    const words = parts.map((part) => {
      if (part.type === 'toolCall') return `[${part.toolCall.name} ${JSON.stringify(part.toolCall.input)}]`;
      if (part.type === 'toolResult') return `[${part.result.isError ? 'failed: ' : ''}${part.result.content}]`;
      return part.type === 'media' ? `<${part.url}>` : part.text;
    });
    return `${role}: ${words.join(' ')}`;
  });
}

/** Lets `ms` milliseconds of real time pass. */
export function pause(ms = 0): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
