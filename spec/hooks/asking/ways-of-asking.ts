import { PassThrough } from 'node:stream';
import { from, lastValueFrom, toArray } from 'rxjs';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import { type Answers, pendingCalls, type Snapshot } from '../../../lib/agent/suspend/snapshot.ts';
import type { SettledEvent } from '../../../lib/events/hook-event.ts';
import type { JsonObject } from '../../../lib/events/values/json-value.ts';
import type { Answer, Question } from '../../../lib/hooks/asking/ask-function.ts';
import { createAskTerminal } from '../../../lib/hooks/asking/ask-terminal.ts';
import type { Asker } from '../../../lib/hooks/asking/asker.ts';
import { createInbox, type Inbox } from '../../../lib/hooks/asking/inbox.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import type { Hook } from '../../../lib/pipeline/define/hook.ts';
import type { Model } from '../../../lib/pipeline/define/model.ts';
import type { Tool } from '../../../lib/pipeline/define/tool.ts';
import { memoryRunStore } from '../../../lib/server/run-store/memory-run-store.ts';
import { aHouse } from '../../server/runs/a-house.ts';

/** An answer to a prompt. `input` may be any value of a sloppy host. */
export interface Said {
  readonly approved: boolean;
  readonly input?: unknown;
  readonly remember?: 'session';
}

/** An agent, its asking hooks and the answers in order. */
export interface Scene {
  readonly model: Model;
  readonly tool: Tool;
  hooks(askBy: Asker, inbox: Inbox): readonly Hook[];
  readonly answers: readonly Said[];
}

/** The outcome: the arguments that were shown, and all events. */
export interface Came {
  readonly asked: readonly JsonObject[];
  readonly events: readonly SettledEvent[];
}

/** A way of asking. `inline`: the run waits and continues by itself. */
export interface Way {
  readonly inline: boolean;
  play(scene: Scene): Promise<Came>;
}

type Reply = (question: Question) => ReturnType<Exclude<Asker, string>>;

function inCode(replyOf: (next: () => Answer) => ReturnType<Reply>): Way {
  return {
    inline: true,
    async play(scene) {
      const asked: JsonObject[] = [];
      const left = [...scene.answers];
      const askBy: Asker = ({ input }) => {
        asked.push(input);
        return replyOf(() => (left.shift() ?? false) as Answer);
      };
      return { asked, events: await eventsOf(scene, askBy) };
    },
  };
}

async function eventsOf(scene: Scene, askBy: Asker, inbox = createInbox()): Promise<SettledEvent[]> {
  const agent = agentOf(scene, scene.hooks(askBy, inbox));
  return lastValueFrom(agent.run('go', { sessionId: 's' }).pipe(toArray()));
}

function agentOf({ model, tool }: Scene, hooks: readonly Hook[]) {
  return createAgent({ name: 'a', model, tools: [tool], pipeline: createPipeline([...hooks]) });
}

const terminal: Way = {
  inline: true,
  async play(scene) {
    const asked: JsonObject[] = [];
    const left = [...scene.answers];
    const input = new PassThrough();
    const write = (text: string) => {
      if (text.includes('e: edit')) setTimeout(() => input.write(typed(left.shift())));
    };
    const ask = createAskTerminal(() => ({ input, write, close: () => input.pause() }));
    const askBy: Asker = (question, asking) => {
      asked.push(question.input);
      return ask(question, asking);
    };
    return { asked, events: await eventsOf(scene, askBy) };
  },
};

/** The empty line after the arguments cancels the edit if they are not a JSON object. */
function typed(said: Said | undefined): string {
  if (!said?.approved) return 'n\n';
  if (said.input === undefined) return said.remember ? 's\n' : 'y\n';
  return `e\n${JSON.stringify(said.input)}\n\n`;
}

const inbox: Way = {
  inline: true,
  async play(scene) {
    const asked: JsonObject[] = [];
    const left = [...scene.answers];
    const inbox = createInbox();
    inbox.changes$.subscribe(({ type, call: { id, hash, input } }) => {
      if (type !== 'waiting') return;
      asked.push(input);
      const { approved, ...more } = left.shift() ?? { approved: false };
      setTimeout(() =>
        inbox.answer(id, { action: approved ? 'approve' : 'deny', by: 'alice', hash, ...(more as object) }),
      );
    });
    return { asked, events: await eventsOf(scene, 'inbox', inbox) };
  },
};

/** Answers pending calls over HTTP until the run has ended. A rejected answer leaves the call pending. */
function overHttp(asker: 'inbox' | 'suspend'): Way {
  return {
    inline: asker === 'inbox',
    async play(scene) {
      const inbox = createInbox();
      const events: SettledEvent[] = [];
      const watch = defineHook({ name: 'watch', observe: (event) => void events.push(event) });
      const { model, tool } = scene;
      const hooks = [...scene.hooks(asker, inbox), watch];
      const house = aHouse({ model, tools: [tool], hooks, inbox, knowsTools: true, runStore: memoryRunStore() });
      const asked = new Map<string, JsonObject>();
      const left = [...scene.answers];
      await house.post('/api/runs', { prompt: 'go' });
      const isOver = () => events.some((event) => event.type === 'postCall' && event.outcome !== 'suspended');
      for (let tries = 0; tries < 1_000 && !isOver(); tries++) {
        const [call] = (await house.get('/api/approvals')).json.approvals;
        if (call) {
          asked.set(call.id, call.input);
          const { approved, remember: _, ...more } = left.shift() ?? { approved: false };
          const action = approved ? 'approve' : 'deny';
          const body = { action, hash: call.hash, ...(approved && more) };
          const { status } = await house.post(`/api/approvals/${call.id}`, body);
          if (![200, 400, 422].includes(status)) throw new Error(`the answer was refused: ${status}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return { asked: [...asked.values()], events };
    },
  };
}

/** Resumes until the run has ended. Rejected answers become a no. */
const resumed: Way = {
  inline: false,
  async play(scene) {
    const asked: JsonObject[] = [];
    const left = [...scene.answers];
    const agent = agentOf(scene, scene.hooks('suspend', createInbox()));
    const events = await lastValueFrom(agent.run('go', { sessionId: 's' }).pipe(toArray()));
    for (;;) {
      const { snapshot } = events.at(-1) as { snapshot?: Snapshot };
      if (!snapshot) return { asked, events };
      const pending = pendingCalls(snapshot);
      asked.push(...pending.map(({ judged }) => judged?.input as JsonObject));
      const said = pending.map(({ key }) => [key, answerOf(left.shift())] as const);
      const resume = async (answers: object) =>
        lastValueFrom(agent.resume(JSON.parse(JSON.stringify(snapshot)), answers as Answers).pipe(toArray()));
      const no = () => resume(Object.fromEntries(pending.map(({ key }) => [key, { approved: false }])));
      events.push(...(await resume(Object.fromEntries(said)).catch(no)));
    }
  },
};

function answerOf({ approved, input }: Said = { approved: false }): object {
  return { approved, ...(input !== undefined && { input }) };
}

/** All ways to ask a person about a call. */
export const waysOfAsking: Readonly<Record<string, Way>> = {
  'a function': inCode((next) => next()),
  'a function that returns a promise': inCode(async (next) => next()),
  'a function that returns an Observable': inCode((next) => from(Promise.resolve().then(next))),
  'the terminal': terminal,
  'the inbox': inbox,
  'HTTP, inside a run': overHttp('inbox'),
  'HTTP, a suspended run': overHttp('suspend'),
  'a resume': resumed,
};
