import { interleavedBench } from './interleaved.ts';

for (let i = 0; i < 3; i++) console.log(interleavedBench().map((r) => r.value.toFixed(2)));
