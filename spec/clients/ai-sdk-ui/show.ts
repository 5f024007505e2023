import type { UIMessage } from 'ai6latest';
import type { UiMessageChunk } from '../../../lib/adapters/ai-sdk-ui/index.ts';
import type { Client } from './clients.ts';

/** A client's view of a stream: the last state of the message, and the chunks that its schema accepted. */
export interface Shown {
  readonly message: UIMessage | undefined;
  readonly chunks: readonly UiMessageChunk[];
  /** The error of the reader. */
  readonly failure: unknown;
}

/** Sends chunks over the transport of a client and lets its reader build the message. */
export async function show({ sdk }: Client, sent: readonly UiMessageChunk[], before?: UIMessage): Promise<Shown> {
  const frames = [...sent.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) => `data: ${data}\n\n`);
  const headers = { 'content-type': 'text/event-stream', 'x-vercel-ai-ui-message-stream': 'v1' };
  const transport = new sdk.DefaultChatTransport({
    api: 'http://127.0.0.1/api/chat',
    fetch: async () => new Response(frames.join(''), { headers }),
  });
  const request = { chatId: 'a', messages: [], trigger: 'submit-message' as const, messageId: undefined };
  const stream = await transport.sendMessages({ ...request, abortSignal: undefined });
  const chunks: UiMessageChunk[] = [];
  const seen = stream.pipeThrough(
    new TransformStream({
      transform(chunk, controller) {
        chunks.push(chunk as UiMessageChunk);
        controller.enqueue(chunk);
      },
    }),
  );
  let message: UIMessage | undefined;
  try {
    const states = sdk.readUIMessageStream({
      stream: seen,
      terminateOnError: true,
      ...(before && { message: before }),
    });
    for await (const state of states) message = state;
    return { message, chunks, failure: undefined };
  } catch (failure) {
    return { message, chunks, failure };
  }
}
