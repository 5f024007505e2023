import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AgentOptions,
  createAgent,
  createPipeline,
  type defineHook,
  defineTool,
  type Message,
  type PipelineOptions,
  type SettledEvent,
  type Tool,
  textOf,
} from 'hookline';
import {
  type ClaudeHooks,
  type ClaudeHooksOptions,
  type ClaudeSettings,
  claudeHooks,
  type Diagnostic,
} from 'hookline/process-hooks';
import { scriptedModel } from 'hookline/testing';
import { lastValueFrom, toArray } from 'rxjs';
import { z } from 'zod';
import { tempFolder } from '../../temp-folder.ts';

/** A command that prints this. */
export const say = (output: object): string => `printf %s '${JSON.stringify(output)}'`;

/** A command that prints a field of this event. */
export const specific = (hookEventName: string, output: object): string =>
  say({ hookSpecificOutput: { hookEventName, ...output } });

/** Settings with handlers per event: a shell command line, the fields next to `type: command`, or several of either. */
export function on(
  handlers: Record<string, string | object | readonly (string | object)[]>,
  matcher?: string,
): ClaudeSettings {
  const whole = (one: string | object) => ({ type: 'command', ...(typeof one === 'string' ? { command: one } : one) });
  const groups = Object.entries(handlers).map(([event, given]) => [
    event,
    [{ ...(matcher !== undefined && { matcher }), hooks: [given].flat().map(whole) }],
  ]);
  return { hooks: Object.fromEntries(groups) };
}

/** Actions of an agent with these settings, and their permissions. */
export interface Play extends ClaudeHooksOptions {
  readonly tool?: Tool;
  readonly others?: readonly Tool[];
  readonly hooks?: readonly ReturnType<typeof defineHook>[];
  readonly input?: Readonly<Record<string, string>>;
  readonly turns?: Parameters<typeof scriptedModel>[0];
  readonly agent?: Partial<AgentOptions>;
  readonly pipeline?: PipelineOptions;
}

/** Agents with Claude settings in a separate folder, for the specs of one `describe`. */
export function createScene(label: string) {
  let folder = '';
  const open: ClaudeHooks[] = [];
  beforeEach(() => {
    folder = tempFolder(label);
  });
  afterEach(() => Promise.all(open.splice(0).map((hook) => hook.close())));
  return {
    get folder() {
      return folder;
    },

    /** An executable script in the folder. */
    script(name: string, body: string): string {
      const path = join(folder, name);
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, body.startsWith('#!') ? `${body}\n` : `#!/bin/sh\n${body}\n`);
      chmodSync(path, 0o755);
      return path;
    },

    read: (name: string): string => readFileSync(join(folder, name), 'utf8'),
    told: (name: string): Record<string, unknown> => JSON.parse(readFileSync(join(folder, name), 'utf8')),

    /** Runs an agent with these settings that calls one tool and says done. */
    async play(
      settings: ClaudeSettings | string,
      { tool, others = [], hooks = [], input = { command: 'ls' }, turns, agent, pipeline: host, ...options }: Play = {},
    ) {
      const ran: unknown[] = [];
      const own = tool ?? defineTool({ ...command, execute: (given) => `ran ${ran.push(given)}` });
      const diagnostics: Diagnostic[] = [];
      const hook = claudeHooks(settings, { cwd: folder, onDiagnostic: (one) => diagnostics.push(one), ...options });
      open.push(hook);
      const model = scriptedModel(turns ?? [{ toolCalls: [{ name: own.name, input }] }, 'done']);
      const pipeline = createPipeline([hook, ...hooks], host);
      const playing = createAgent({ name: 'a', model, tools: [own, ...others], pipeline, ...agent });
      const events = (await lastValueFrom(playing.run('hello', { sessionId: 's' }).pipe(toArray()))) as SettledEvent[];
      const of = <T extends SettledEvent['type']>(type: T) =>
        events.filter((event) => event.type === type) as Extract<SettledEvent, { type: T }>[];
      return {
        hook,
        ran,
        events,
        of,
        model,
        diagnostics,
        codes: diagnostics.map(({ code }) => code),
        acted: of('postActing')[0],
        end: of('postCall').at(-1),
        asked: (index: number) =>
          (model.requests[index]?.messages ?? []).map((message: Message) => `${message.role}: ${textOf(message)}`),
      };
    },
  };
}

const command = {
  name: 'run_command',
  description: 'Runs.',
  permission: 'external' as const,
  inputSchema: z.looseObject({}),
};
