import { askersOf } from '../../../events/decisions/ask.ts';
import type { SettledEvent } from '../../../events/hook-event.ts';
import type { TraceStep } from '../../../pipeline/define/hook.ts';
import { count } from '../model/describe-event.ts';
import { marks } from '../model/mark-of.ts';
import type { RunModel } from '../model/run-model.ts';
import { Fact } from '../ui/fact.tsx';
import { showMs, showTime } from '../ui/format.ts';
import { Json } from '../ui/json.tsx';
import { Text } from '../ui/text.tsx';
import { Chain } from './chain.tsx';
import { Why } from './why.tsx';

/** All data of one event, or of the chunks of a block. */
export function EventDetail({ model, index }: { readonly model: RunModel; readonly index: number }) {
  const event = model.events[index];
  if (!event)
    return (
      <div class="empty">
        <p>Select an event to see the effect of each hook.</p>
        <p class="faint">
          <kbd>j</kbd> <kbd>k</kbd> select the next or previous event, <kbd>x</kbd> shows only events with an effect.
        </p>
      </div>
    );
  const row = model.rows.list[model.rows.rowOf(index)]!;
  const { run, seq, time, type, iteration, decision, notes, ...rest } = event;
  return (
    <article class="event-detail">
      <header>
        <h2>{type}</h2>
        <dl class="facts">
          <Fact name="result" value={marks[model.mark.at(index)] ?? ''} />
          <Fact name="seq" value={String(seq)} />
          <Fact name="iteration" value={String(iteration)} />
          <Fact
            name="at"
            value={`${showTime(time)}, ${showMs(time - model.events[0]!.time)} after the start of the run`}
          />
          {run.depth > 0 && <Fact name="sub-agent" value={run.agent} />}
        </dl>
      </header>
      {decision && (
        <section class="decision">
          <h3>Decided</h3>
          <p>
            <Text in="strong" of={String(decision.action)} /> by{' '}
            <Text of={askersOf(decision).join(' and ') || 'unknown'} />
            {'reason' in decision && decision.reason !== undefined && (
              <>
                : <Text of={decision.reason} />
              </>
            )}
            {'prompt' in decision && typeof decision.prompt === 'string' && (
              <>
                : <Text of={decision.prompt} />
              </>
            )}
          </p>
          {event.type === 'preActing' && <Why event={event} />}
        </section>
      )}
      {row.count > 1 ? (
        <Chunks model={model} row={row} />
      ) : (
        <Hooks steps={model.stepsOf(index)} decidedBy={decision?.by} />
      )}
      {notes && notes.length > 0 && row.count === 1 && (
        <section>
          <h3>Notes</h3>
          <Notes of={notes} />
        </section>
      )}
      {row.count === 1 && (
        <section>
          <h3>Event after all hooks</h3>
          <div class="json">
            <Json of={type === 'preReasoning' ? { ...rest, ...model.requestOf(index) } : rest} />
          </div>
        </section>
      )}
    </article>
  );
}

function Hooks({ steps, decidedBy }: { readonly steps: readonly TraceStep[]; readonly decidedBy: string | undefined }) {
  return (
    <section>
      <h3>Hooks in running order</h3>
      <Chain steps={steps} decidedBy={decidedBy} />
    </section>
  );
}

/** The maximum number of changed chunks of a block that are shown one by one. */
const SHOWN = 20;

function Chunks({ model, row }: { readonly model: RunModel; readonly row: RunModel['rows']['list'][number] }) {
  const at = model.rows.rowOf(row.first);
  const text: string[] = [];
  const touched: number[] = [];
  for (let index = row.first; index <= row.last; index += 1) {
    if (model.rows.rowOf(index) !== at) continue;
    const event = model.events[index]!;
    text.push(event.type === 'reasoningChunk' ? event.delta : event.type === 'actingChunk' ? event.content : '');
    if (model.mark.at(index) > 0) touched.push(index);
  }
  return (
    <>
      <section>
        <h3>{count(row.count, 'chunk')} after all hooks</h3>
        <Text in="pre" class="chunks" of={text.join('')} />
      </section>
      <section>
        <h3>
          {touched.length === 0
            ? 'No hook had an effect on them'
            : `${count(touched.length, 'chunk')} with effects of hooks`}
        </h3>
        {touched.slice(0, SHOWN).map((index) => (
          <div class="chunk-steps" key={index}>
            <span class="faint">seq {model.events[index]!.seq}</span>
            {model.stepsOf(index).length > 0 ? (
              <Chain steps={model.stepsOf(index)} />
            ) : (
              <Notes of={model.events[index]!.notes} />
            )}
          </div>
        ))}
        {touched.length > SHOWN && <p class="faint">… and {touched.length - SHOWN} more.</p>}
      </section>
    </>
  );
}

/** The notes of hooks, in addition to their changes. */
function Notes({ of = [] }: { readonly of: SettledEvent['notes'] }) {
  return (
    <ul class="notes">
      {of.map((note, at) => (
        <li key={`${at} ${note.code}`}>
          <Text in="strong" of={note.by} /> <Text of={note.message} /> <Text in="code" of={note.code} />
        </li>
      ))}
    </ul>
  );
}
