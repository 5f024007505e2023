import { HooklineError } from '../../../errors.ts';
import { endings, generating } from './endings.ts';
import { type HostAgent, type HostAi, type HostOptions, versionOf } from './host-ai.ts';
import type { HostCall } from './host-call.ts';
import type { OptionsPlace } from './known-options.ts';

/** A call and the options for the SDK. */
export interface Amended {
  readonly call: HostCall;
  readonly options: HostOptions;
}

/** Returns the given options, if they are allowed. */
export type Checked = <T extends object | undefined>(place: OptionsPlace, given: T) => T;

/** Returns the agent class of the SDK with hooks. `begin` starts the run of each call. */
export function hookedAgent(
  ai: HostAi,
  ToolLoopAgent: NonNullable<HostAi['ToolLoopAgent']>,
  begin: (options: HostOptions) => Amended,
  checked: Checked,
): unknown {
  // All runs of an agent share the settings, but hooks belong to one run.
  class HookedAgent extends ToolLoopAgent implements HostAgent {
    readonly #settings: HostOptions;

    constructor(settings: HostOptions) {
      super(settings);
      checked('settings of an agent', settings);
      this.#settings = settings;
    }

    override generate(options: Partial<HostOptions>): Promise<unknown> {
      const { call, options: amended } = this.begin(options);
      return generating(call, () => new ToolLoopAgent(amended.settings).generate(amended.options));
    }

    override stream(options: Partial<HostOptions>): unknown {
      const { call, options: amended } = this.begin(options);
      // Version 7 calls the callbacks of the agent and of the call. In version 6, those of the call replace those of the agent.
      const both = versionOf(ai) === 7;
      const whole = endings(ai, call, both ? this.#settings : ({ ...this.#settings, ...options } as HostOptions));
      const ofCall = Object.entries(both ? endings(ai, call, options as HostOptions) : whole);
      const own = ofCall.filter(([name]) => options[name] !== undefined);
      const agent = new ToolLoopAgent({ ...amended.settings, ...whole });
      return agent.stream({ ...amended.options, ...Object.fromEntries(own) });
    }

    private begin(options: Partial<HostOptions>) {
      const { hookline, ...given } = options;
      checked('a call of an agent', given);
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
  }
  refuseOthers(HookedAgent.prototype, ToolLoopAgent.prototype);
  return HookedAgent;
}

/** Rejects methods that a later version of the SDK adds to agents, because they have no hooks. */
function refuseOthers(hooked: object, own: object): void {
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(own))) {
    if (typeof value !== 'function' || Object.hasOwn(hooked, name)) continue;
    const refuse = (): never => {
      throw new HooklineError(
        'INPUT_INVALID',
        `withHooks(ai, pipeline, options): ${name} of an agent bypasses the hooks; use generate or stream.`,
      );
    };
    Object.defineProperty(hooked, name, { value: refuse, configurable: true, writable: true });
  }
}
