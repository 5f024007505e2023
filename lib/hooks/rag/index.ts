export { rag } from './rag.ts';
export { type RagOptions, ragOptionsSchema } from './rag-options.ts';
export type { Passage, RetrieveRequest, Retriever } from './retriever.ts';
