import { permission } from '../../../lib/hooks/index.ts';
import { createPipeline, defineTool } from '../../../lib/index.ts';
import { measure } from '../measure.ts';
import type { BenchResult } from '../result.ts';

const SIZE = 300;
const tool = defineTool({
  name: 'run_command',
  description: 'Runs.',
  inputSchema: { type: 'object' },
  execute: () => 'ran',
});

/** A call of a tool that one rule of 1,000 allows, the others speaking of commands too, against the same with that rule alone. */
export function permissionBench(): BenchResult[] {
  const others = (rule: string) => Array.from({ length: 333 }, (_, index) => rule.replace('#', String(index)));
  const allow = [...others('Bash(npm run t#:*)'), 'Bash(npm test)'];
  const many = { allow, ask: others('Bash(git push r#:*)'), deny: others('Bash(tool-#:*)') };
  const times = measure({ one: calling({ allow: ['Bash(npm test)'] }), many: calling(many) }, SIZE);
  const value = (times['many'] ?? 0) / (times['one'] ?? 1);
  return [{ name: 'a call judged by 1,000 rules of permission, against one', unit: 'times the cost', value, most: 10 }];
}

function calling(rules: Parameters<typeof permission>[0]): () => void {
  const pipeline = createPipeline([permission({ ...rules, default: 'deny' })]);
  return () => {
    const run = pipeline.start({ agent: 'a' });
    let ran = 0;
    for (let at = 0; at < SIZE; at++)
      run.act({ id: `c${at}`, name: 'run_command', input: { command: 'npm test' } }, [tool]).subscribe((event) => {
        if (event.type === 'postActing' && event.outcome === 'executed') ran += 1;
      });
    if (ran !== SIZE) throw new Error(`only ${ran} of ${SIZE} calls ran`);
  };
}
