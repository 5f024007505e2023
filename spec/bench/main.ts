import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentStepBench } from './agent-step/agent-step.ts';
import { chunkBench } from './chunk.ts';
import { configApiBench } from './config-api.ts';
import { endlessToolBench } from './endless-tool.ts';
import { gateBench } from './gate.ts';
import { autoContextBench } from './hooks/auto-context.ts';
import { permissionBench } from './hooks/permission-rules.ts';
import { ragBench } from './hooks/rag-folder.ts';
import { scannedChunkBench } from './hooks/scanned-chunk.ts';
import { shelfBench } from './hooks/shelf.ts';
import { wordFilterBench } from './hooks/word-filter.ts';
import { interleavedBench } from './interleaved.ts';
import { processHookBench } from './process-hook.ts';
import { redactionBench } from './redaction.ts';
import { reloadConfigBench } from './reload-config.ts';
import { type BenchResult, keeps } from './result.ts';
import { sseFanOutBench } from './sse-fan-out.ts';
import { startBench } from './start/start.ts';
import { stepBench } from './step.ts';

/** Measures everything, prints it, writes RESULTS.md; with `--check` a missed target exits 1. */
async function main(): Promise<void> {
  const endless = await endlessToolBench();
  const processes = await processHookBench();
  const configApi = await configApiBench();
  const fanOut = await sseFanOutBench();
  const reloads = await reloadConfigBench();
  const rag = await ragBench();
  const shelf = await shelfBench();
  const results = [
    ...gateBench(),
    ...chunkBench(),
    ...stepBench(),
    ...agentStepBench(),
    ...interleavedBench(),
    ...endless,
    ...redactionBench(),
    ...scannedChunkBench(),
    ...wordFilterBench(),
    ...permissionBench(),
    ...rag,
    ...autoContextBench(),
    ...shelf,
    ...processes,
    ...configApi,
    ...fanOut,
    ...reloads,
    ...startBench(),
  ];
  const lines = results.map(toRow);
  const table = ['| what | measured | target | |', '| --- | --- | --- | --- |', ...lines].join('\n');
  console.log(table);
  const head = `# Results\n\nWritten by \`npm run bench\` with Node ${process.version}. Ratios of one run on one machine; no absolute times.\n\n`;
  writeFileSync(join(__dirname, 'RESULTS.md'), `${head}${table}\n`);
  const missed = results.filter((result) => !keeps(result));
  for (const { name } of missed) console.error(`missed: ${name}`);
  if (process.argv.includes('--check') && missed.length > 0) process.exitCode = 1;
}

function toRow(result: BenchResult): string {
  const { name, unit, value, least, most } = result;
  const target = least !== undefined ? `at least ${least}` : most !== undefined ? `at most ${most}` : '';
  const verdict = target === '' ? '' : keeps(result) ? 'kept' : '**missed**';
  return `| ${name} | ${value.toFixed(2)} ${unit} | ${target} | ${verdict} |`;
}

void main();
