import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentStepBench } from './agent-step/agent-step.ts';
import { chunkBench } from './chunk.ts';
import { configApiBench } from './config-api.ts';
import { endlessToolBench } from './endless-tool.ts';
import { fleetBench } from './fleet/fleet.ts';
import { gateBench } from './gate.ts';
import { autoContextBench } from './hooks/auto-context.ts';
import { otelBench } from './hooks/otel.ts';
import { permissionBench } from './hooks/permission-rules.ts';
import { ragBench } from './hooks/rag-folder.ts';
import { scannedChunkBench } from './hooks/scanned-chunk.ts';
import { shelfBench } from './hooks/shelf.ts';
import { wordFilterBench } from './hooks/word-filter.ts';
import { interleavedBench } from './interleaved.ts';
import { aiSdkLoopBench } from './loops/ai-sdk-loop.ts';
import { processHookBench } from './process-hook.ts';
import { redactionBench } from './redaction.ts';
import { reloadConfigBench } from './reload-config.ts';
import { replayBench } from './replay/replay.ts';
import { type BenchResult, keeps, TABLE_HEAD, toRow } from './result.ts';
import { inspectorBench } from './screens/inspector.ts';
import { runListBench } from './screens/run-list.ts';
import { sseFanOutBench } from './sse-fan-out.ts';
import { hostHookBench } from './start/host-hook.ts';
import { startBench } from './start/start.ts';
import { stepBench } from './step.ts';
import { watchedRunBench } from './watched-run.ts';
import { wiresBench } from './wires.ts';

/** In the order of the table. */
const benches: Readonly<Record<string, () => readonly BenchResult[] | Promise<readonly BenchResult[]>>> = {
  gate: gateBench,
  chunk: chunkBench,
  step: stepBench,
  'agent-step': agentStepBench,
  interleaved: interleavedBench,
  'endless-tool': endlessToolBench,
  redaction: redactionBench,
  'scanned-chunk': scannedChunkBench,
  'word-filter': wordFilterBench,
  permission: permissionBench,
  otel: otelBench,
  rag: ragBench,
  'auto-context': autoContextBench,
  shelf: shelfBench,
  'ai-sdk-loop': aiSdkLoopBench,
  'langchain-loop': () => clientBench('langchain-loop', 'langChainLoopBench'),
  'openai-agents-loop': () => clientBench('openai-agents-loop', 'openAiAgentsLoopBench'),
  'mcp-proxy': () => clientBench('mcp-proxy', 'mcpProxyBench'),
  fleet: fleetBench,
  'process-hook': processHookBench,
  'config-api': configApiBench,
  'sse-fan-out': sseFanOutBench,
  'watched-run': watchedRunBench,
  wires: wiresBench,
  inspector: inspectorBench,
  'run-list': runListBench,
  'reload-config': reloadConfigBench,
  replay: replayBench,
  start: startBench,
  'host-hook': hostHookBench,
};

/** A bench of somebody else's loop: the packages are those of spec/clients. */
function clientBench(file: string, name: string): Promise<readonly BenchResult[]> {
  const folder = join(__dirname, '..', 'clients');
  if (!existsSync(join(folder, 'node_modules')))
    throw new Error('The packages of spec/clients are missing: npm ci --prefix spec/clients --ignore-scripts');
  return require(join(folder, 'bench', `${file}.ts`))[name]();
}

const HEAD = `# Results

Written by \`npm run bench\` with Node ${process.version}. Ratios of one run on one machine, each bench in a process of its own; no absolute times. Promises and kilobytes are those of one step or chunk, counted in a run whose time is not measured.

`;

/**
 * Measures what is named (\`npm run bench -- gate chunk\`) and prints it; without a name everything, which is also written to RESULTS.md. With \`--check\`
 * a missed target exits 1.
 */
function main(words: readonly string[]): void {
  const names = words.filter((word) => !word.startsWith('--'));
  const unknown = names.filter((name) => !Object.hasOwn(benches, name));
  if (unknown.length > 0) {
    console.error(`There is no bench ${unknown.join(', ')}. Benches: ${Object.keys(benches).join(', ')}.`);
    process.exitCode = 2;
    return;
  }
  const results = (names.length > 0 ? names : Object.keys(benches)).flatMap(measured);
  const table = [...TABLE_HEAD, ...results.map(toRow)].join('\n');
  console.log(table);
  if (names.length === 0) writeFileSync(join(__dirname, 'RESULTS.md'), `${HEAD}${table}\n`);
  const missed = results.filter((result) => !keeps(result));
  for (const { name } of missed) console.error(`missed: ${name}`);
  if (words.includes('--check') && missed.length > 0) process.exitCode = 1;
}

/** In a process of its own: code that other benches have called in many ways before is slower. */
function measured(name: string): readonly BenchResult[] {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const file = join(folder, 'results.json');
  try {
    const { status } = spawnSync(process.execPath, [...process.execArgv, __filename, MEASURE, name, file], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (status !== 0) throw new Error(`The bench ${name} failed; npm run bench -- ${name} runs it alone.`);
    return JSON.parse(readFileSync(file, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
const MEASURE = '--measure';

async function measure(name: string, file: string): Promise<void> {
  const results = await benches[name]?.();
  writeFileSync(file, JSON.stringify(results));
}

const [first, name, file] = process.argv.slice(2);
if (first === MEASURE) void measure(name as string, file as string);
else main(process.argv.slice(2));
