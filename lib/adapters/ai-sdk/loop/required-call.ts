import { overlaid } from '../../../loops/overlaid.ts';
import type { LanguageModel, StreamPart } from '../language-model.ts';
import type { HostRequest } from './history/prompt-bridge.ts';
import type { GenerateResult, HostAi } from './host-ai.ts';
import type { HostCall } from './host-call.ts';

interface Asked {
  doGenerate(options: HostRequest): PromiseLike<GenerateResult>;
  doStream(options: HostRequest): PromiseLike<{ readonly stream: ReadableStream<StreamPart> }>;
}

interface Part {
  readonly type: string;
  readonly toolName?: unknown;
}

/**
 * Version 7 rejects a reply without the call that `toolChoice` requires. The SDK's error blames the model, even if a hook wrote the reply. This
 * error names the hook and the fix. `hooked` is the model with hooks.
 */
export function requiredCall<M extends LanguageModel>(ai: HostAi, hooked: M, call: HostCall): M {
  const Violation = ai.ToolChoiceViolationError;
  if (!Violation) return hooked;
  const inner = hooked as unknown as Asked;
  const { provider, modelId } = hooked;
  const issue = (options: HostRequest, content: readonly Part[], finishReason: unknown): unknown => {
    const { toolName, type = '' } = choiceOf(options);
    const met = content.some((part) => part.type === 'tool-call' && (toolName ?? part.toolName) === part.toolName);
    if (call.endedBy === undefined || met) return undefined;
    const wanted = `the tool call that toolChoice (${toolName ?? type}) requires in AI SDK 7`;
    const message = `${call.endedBy} without ${wanted}. Set toolChoice: 'auto', or exclude such requests in the hook.`;
    const details = { toolChoice: options.toolChoice, finishReason, provider, modelId, content, message };
    return new Violation(details as never);
  };
  const own: Asked = {
    async doGenerate(options) {
      const result = await inner.doGenerate(options);
      const wrong = wants(options) && issue(options, result.content, result.finishReason);
      if (wrong) throw wrong;
      return result;
    },
    async doStream(options) {
      const result = await inner.doStream(options);
      if (!wants(options)) return result;
      const calls: Part[] = [];
      const checked = new TransformStream<StreamPart, StreamPart>({
        transform(part, to) {
          if (part.type === 'tool-call') calls.push(part);
          const wrong = part.type === 'finish' && issue(options, calls, part.finishReason);
          to.enqueue(wrong ? { type: 'error', error: wrong } : part);
        },
      });
      return { ...result, stream: result.stream.pipeThrough(checked) };
    },
  };
  return overlaid(hooked, own);
}

function wants(options: HostRequest): boolean {
  return ['required', 'tool'].includes(choiceOf(options).type ?? '');
}

function choiceOf({ toolChoice = {} }: HostRequest): { readonly type?: string; readonly toolName?: string } {
  return toolChoice;
}
