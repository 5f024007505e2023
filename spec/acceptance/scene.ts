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

/** The data of a run that has ended. */
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

/** An agent with a scripted model, whose runs all have session `s`. */
export interface Stage {
  readonly agent: Agent;
  readonly model: ScriptedModel;
  readonly transcript: Transcript;
  run(input?: AgentInput, options?: AgentRunOptions): Played;
  /** Returns the messages of the session, one per line. */
  remembered(): readonly string[];
  /** Returns the messages of the model request with this number, one per line. */
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

/** Runs to the end, synchronously. */
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

/** Formats messages, one per line: the role, plain texts, calls and results in brackets. */
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

/** Waits for `ms` milliseconds of real time. */
export function pause(ms = 0): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
