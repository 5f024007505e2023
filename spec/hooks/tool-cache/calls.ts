import { timer } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import type { HookEvent } from '../../../lib/events/hook-event.ts';
import type { Permission } from '../../../lib/events/parts/tool-description.ts';
import { toolCache } from '../../../lib/hooks/tool-cache/tool-cache.ts';
import type { ToolCacheOptions } from '../../../lib/hooks/tool-cache/tool-cache-options.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineTool, type ToolReturn } from '../../../lib/pipeline/define/tool.ts';

/** A tool call with its caller and time. */
export interface Call {
  readonly at?: number;
  readonly tool?: string;
  readonly input?: object;
  readonly agent?: string;
  readonly userId?: string;
  readonly sessionId?: string;
  /** The time at which the caller unsubscribes. */
  readonly until?: number;
}

interface Scene {
  readonly execute?: (run: number) => ToolReturn;
  readonly more?: Parameters<typeof createPipeline>[0];
}

/** The times of tool runs and the results of calls made at these times, in virtual time. */
export function calls(
  list: readonly Call[],
  options: Partial<ToolCacheOptions> = {},
  { execute, more = [] }: Scene = {},
) {
  const ran: string[] = [];
  const got: string[] = [];
  const events: HookEvent[] = [];
  const scheduler = new TestScheduler(() => {});
  scheduler.run(() => {
    const make = (name: string, permission: Permission) =>
      defineTool({
        name,
        description: name,
        inputSchema: { type: 'object' },
        permission,
        execute: () => {
          ran.push(`${scheduler.now()} ${name}`);
          return execute ? execute(ran.length) : `answer ${ran.length}`;
        },
      });
    const tools = [make('look', 'read'), make('fetch', 'external'), make('write', 'write')];
    const pipeline = createPipeline([toolCache({ tools: ['*'], ...options }), ...more], { scheduler });
    for (const [index, { at = 0, tool = 'look', input = {}, agent = 'a', until, ...who }] of list.entries()) {
      const run = pipeline.start({ agent, sessionId: 's', ...who });
      const call$ = run.act({ id: `c${index}`, name: tool, input: input as never }, tools);
      timer(at).subscribe(() => {
        const acting = call$.subscribe((event) => {
          events.push(event);
          if (event.type === 'postActing') got[index] = `${scheduler.now()} ${event.result.content}`;
        });
        if (until !== undefined) timer(until - at).subscribe(() => acting.unsubscribe());
      });
    }
  });
  return { ran, got, events };
}
