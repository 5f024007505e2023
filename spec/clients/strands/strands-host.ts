import * as strands from '@strands-agents/sdk';
import { hookline } from '../../../lib/adapters/strands/index.ts';
import { pendingCallStore } from '../../../lib/loops/index.ts';
import { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';
import type { LoopHost, LoopOutcome, LoopRequest, LoopScene, LoopTool } from '../../../lib/testing/index.ts';
import { ScriptedModel } from './scripted-model.ts';

/** Strands as a host of the contract. Its agent is a snapshot while an approval is pending. */
export const strandsHost: LoopHost = {
  name: 'Strands 1.19',
  cannot: {
    'preReasoning: model is changed': "the model is the host's own",
    'postCall: message is changed': 'its result is complete by then',
  },
  run(scene) {
    const model = new ScriptedModel(scene.turns);
    const pendingCalls = pendingCallStore(memoryStateStore());
    const settings = { agent: scene.agent, pendingCalls, buffer: scene.buffer ?? false, ...scene.who };
    const start = () =>
      new strands.Agent({
        model,
        tools: scene.tools.map(toTool),
        plugins: [hookline(strands, scene.pipeline, settings)],
        printer: false,
      });
    return go(scene, model, start, start(), scene.question);
  },
};

async function go(
  scene: LoopScene,
  model: ScriptedModel,
  start: () => strands.Agent,
  agent: strands.Agent,
  input: string | object[],
): Promise<LoopOutcome> {
  const screen: string[] = [];
  let text = '';
  let error: unknown;
  let waiting: readonly { readonly id: string }[] = [];
  const take = (result: strands.AgentResult): void => {
    waiting = result.interrupts ?? [];
    screen.push(JSON.stringify([result, String(result), result.traces, agent.messages]));
  };
  try {
    if (!scene.streamed) take(await agent.invoke(input as string));
    else {
      const events = agent.stream(input as string);
      let next = await events.next();
      for (; !next.done; next = await events.next()) {
        screen.push(JSON.stringify(next.value));
        text += textOf(next.value);
      }
      take(next.value);
    }
  } catch (thrown) {
    error = thrown;
  }
  const saved = agent.takeSnapshot({ preset: 'session' });
  return {
    screen: screen.join('\n') + text,
    prompts: model.prompts,
    requests: model.asked.map(({ options }) => toRequest(options)),
    stored: JSON.stringify(saved),
    ...(error !== undefined && { error }),
    ...(waiting.length > 0 && {
      waits: true,
      resume: (approved) => {
        const again = start();
        again.loadSnapshot(JSON.parse(JSON.stringify(saved)));
        const answers = waiting.map(({ id }) => ({ interruptResponse: { interruptId: id, response: { approved } } }));
        return go(scene, model, start, again, answers);
      },
    }),
  };
}

function toRequest({ toolSpecs, toolChoice }: { readonly [option: string]: unknown }): LoopRequest {
  const tools = (toolSpecs as readonly { readonly name: string }[]).map(({ name }) => name);
  return { tools, ...('any' in ((toolChoice ?? {}) as object) && { toolChoice: 'required' }) };
}

function textOf(event: object): string {
  const { event: inner } = event as { readonly event?: { readonly delta?: { readonly text?: string } } };
  return inner?.delta?.text ?? '';
}

export function toTool({ name, description, inputSchema, progress = [], execute }: LoopTool): strands.Tool {
  return new strands.FunctionTool({
    name,
    description,
    inputSchema: inputSchema as never,
    async *callback(input: unknown) {
      const value = execute(input as never);
      yield* progress;
      return value as never;
    },
  });
}
