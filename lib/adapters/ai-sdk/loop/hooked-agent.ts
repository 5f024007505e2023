import { HooklineError } from '../../../errors.ts';
import { endings, generating } from './endings.ts';
import { type HostAgent, type HostAi, type HostOptions, versionOf } from './host-ai.ts';
import type { HostCall } from './host-call.ts';

/** A call and its options as the SDK gets them. */
export interface Amended {
  readonly call: HostCall;
  readonly options: HostOptions;
}

/** The class of agents of the SDK, whose runs go through the hooks that `begin` puts around each. */
export function hookedAgent(
  ai: HostAi,
  ToolLoopAgent: NonNullable<HostAi['ToolLoopAgent']>,
  begin: (options: HostOptions) => Amended,
): unknown {
  // Settings are shared by all runs of an agent, hooks belong to one.
  return class implements HostAgent {
    readonly #settings: HostOptions;

    constructor(settings: HostOptions) {
      if (settings['prepareCall'] !== undefined)
        throw new HooklineError(
          'INPUT_INVALID',
          'withHooks(ai, pipeline, options): prepareCall of an agent may put another model and tools past the hooks; use prepareStep instead.',
        );
      this.#settings = settings;
    }

    get tools(): HostOptions['tools'] {
      return this.#settings.tools;
    }

    get id(): unknown {
      return this.#settings['id'];
    }

    get version(): string {
      return 'agent-v1';
    }

    generate(options: Partial<HostOptions>): Promise<unknown> {
      const { call, options: amended } = this.begin(options);
      return generating(call, () => new ToolLoopAgent(amended.settings).generate(amended.options));
    }

    stream(options: Partial<HostOptions>): unknown {
      const { call, options: amended } = this.begin(options);
      // Version 7 calls those of the agent and those of the call, version 6 those of the call in place of the agent's.
      const both = versionOf(ai) === 7;
      const whole = endings(ai, call, both ? this.#settings : ({ ...this.#settings, ...options } as HostOptions));
      const ofCall = Object.entries(both ? endings(ai, call, options as HostOptions) : whole);
      const own = ofCall.filter(([name]) => options[name] !== undefined);
      const agent = new ToolLoopAgent({ ...amended.settings, ...whole });
      return agent.stream({ ...amended.options, ...Object.fromEntries(own) });
    }

    private begin(options: Partial<HostOptions>) {
      const { hookline, ...given } = options;
      const { call, options: settings } = begin({
        ...this.#settings,
        stopWhen: this.#settings.stopWhen ?? (({ steps }) => steps.length >= 20),
        ...('messages' in given && { messages: given.messages }),
        ...(Array.isArray(given['prompt']) && { prompt: given['prompt'] }),
        ...('abortSignal' in given && { abortSignal: given.abortSignal }),
        ...(hookline !== undefined && { hookline }),
      } as HostOptions);
      const { messages: _, prompt: __, abortSignal, ...rest } = settings;
      return { call, options: { settings: rest, options: { ...given, abortSignal } } };
    }
  };
}
