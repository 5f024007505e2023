import { Session } from 'node:inspector';
import { Subject } from 'rxjs';
import { z } from 'zod';
import {
  createAgent,
  createPipeline,
  defineHook,
  defineTool,
  type ModelChunk,
  type Pipeline,
  verdict,
} from '../../lib/index.ts';

/** The files of lib in which a function is entered, by their paths within it: in alphabetical order, unless whoever watches knows a better one. */
export interface Walks {
  /** While a tool call is denied. */
  readonly deniedCall: readonly string[];
  /** While a chunk goes from the model to the subscriber. */
  readonly chunk: readonly string[];
  /** Frames on the stack where the subscriber gets the chunk, from the model on. */
  readonly stackDepth: number;
}

const { deny } = verdict;
const hook = defineHook({
  name: 'all',
  on: { reasoningChunk() {}, preActing() {} },
  through: { reasoningChunk: (chunks$) => chunks$ },
  approve: () => deny('no'),
});
const tool = defineTool({ name: 'look', description: 'Looks.', inputSchema: z.object({}), execute: () => 'seen' });
const call = { id: 'c', name: 'look', input: {} };

/** Follows one denied call and one chunk by the functions that are entered, as V8 counts them: one handler, one `through`, one approver. */
export function follow(filesEntered: (act: () => void) => readonly string[] = filesCovered): Walks {
  const pipeline = createPipeline([hook]);
  const act = () => void pipeline.start({ agent: 'a' }).act(call, [tool]).subscribe();
  // What is made once is no part of the way.
  act();
  return { deniedCall: filesEntered(act), ...followChunk(pipeline, filesEntered) };
}

function followChunk(
  pipeline: Pipeline,
  filesEntered: (act: () => void) => readonly string[],
): Pick<Walks, 'chunk' | 'stackDepth'> {
  let before = 0;
  let stackDepth = 0;
  const chunks$ = new Subject<ModelChunk>();
  const agent = createAgent({ name: 'a', model: () => chunks$, pipeline });
  const running = agent.run('go').subscribe(({ type }) => {
    if (type === 'reasoningChunk') stackDepth = frames() - before;
  });
  const send = () => {
    before = frames();
    chunks$.next({ type: 'text', delta: 'word ' });
  };
  send();
  const chunk = filesEntered(send);
  running.unsubscribe();
  return { chunk, stackDepth };
}

/** How many calls the stack holds. */
function frames(): number {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = Number.POSITIVE_INFINITY;
  const { length } = (new Error().stack ?? '').split('\n');
  Error.stackTraceLimit = limit;
  return length;
}

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly count: number }[];
    }[];
  }[];
}

function filesCovered(act: () => void): string[] {
  const session = new Session();
  session.connect();
  let taken: Coverage = { result: [] };
  // An inspector of the same process answers at once.
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  act();
  session.post('Profiler.takePreciseCoverage', (_, coverage) => {
    taken = coverage;
  });
  session.post('Profiler.stopPreciseCoverage');
  session.disconnect();
  return taken.result
    .filter(({ functions }) => functions.some(isEntered))
    .flatMap(({ url }) => url.match(/\/lib\/(.*\.ts)$/)?.[1] ?? [])
    .sort();
}

/** Getters are left out: that is how the compiler exports, and each use of an import would count as a visit to its file. */
function isEntered({ functionName, ranges }: Coverage['result'][number]['functions'][number]): boolean {
  return !/^get\b/.test(functionName) && (ranges[0]?.count ?? 0) > 0;
}
