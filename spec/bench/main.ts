import { chunkBench } from './chunk.ts';
import { gateBench } from './gate.ts';
for (const r of [...gateBench(), ...chunkBench()]) console.log(r);
