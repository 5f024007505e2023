// What `npm start` runs: four scenes with an agent, and the hook that makes each. `npm start -- --without secrets` leaves one out.
import { copyFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgent } from 'hookline';
import { scriptedModel } from 'hookline/testing';
import { workspaceTools } from 'hookline/tools';
import { concat, concatMap, defer, EMPTY, from, fromEvent, ignoreElements, takeUntil, tap, timer } from 'rxjs';
import { storyPipeline } from './story/hooks.ts';
import { type Scene, scenes } from './story/scenes.ts';
import { ask, auditLine, codeOf, pace, paint, show } from './story/stage.ts';
import { tell } from './story/tell.ts';

const root = mkdtempSync(join(tmpdir(), 'hookline-story-'));
const [file, recordings] = [join(root, 'audit.jsonl'), join(root, 'recordings')];
const without = process.argv[2] === '--without' ? process.argv[3] : undefined;
const pipeline = storyPipeline(ask, file, recordings, without);
copyFileSync(join(__dirname, '../LICENSE'), join(root, 'LICENSE'));
writeFileSync(join(root, 'draft.txt'), 'old\n');

function play({ hook, title, prompt, turns, sent, audit }: Scene, index: number) {
  const model = scriptedModel(turns, { delayMs: pace(200) });
  const agent = createAgent({ name: 'storyteller', model, tools: workspaceTools({ root }), pipeline });
  const intro = hook === without ? `(left out: ${hook})` : codeOf(hook);
  return concat(
    defer(() => {
      show(`\n${paint.bold(`${index + 1}. ${title}`)}\n\n${paint.cyan(intro.replaceAll(/^/gm, '  │ '))}\n\n`);
      show(`You: ${prompt}\n${sent ? paint.dim(`The model sends: ${sent.join('|')}\n`) : ''}`);
      return timer(pace(2_500));
    }),
    agent.run(prompt).pipe(tap(tell)),
    defer(() => from(pipeline.flush())),
    defer(() => {
      show(paint.dim(auditLine(file, audit)));
      return timer(pace(2_000));
    }),
  ).pipe(ignoreElements());
}

console.log(paint.bold('Hookline: four hooks, one agent.'), 'The model is scripted; tools, files and audit are real.');
const stop$ = fromEvent(process, 'SIGINT').pipe(tap(() => show('\nStopped.\n')));
const end$ = defer(() => {
  if (without !== 'audit-log') console.log(`\nThe whole audit: ${file}`);
  console.log(`What each hook did, on a page: npm run hookline -- inspect ${recordings}/*.jsonl`);
  console.log('The code of this story: samples/story.ts. What a hook can do: README.md');
  return EMPTY;
});
concat(from(scenes).pipe(concatMap(play)), end$)
  .pipe(takeUntil(stop$))
  .subscribe();
