import { useEffect, useState } from 'preact/hooks';
import type { HookInForce } from '../../config/config-schemas.ts';
import { stepKeys, useShortcuts } from '../app/shortcuts.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { showCount, showMs } from '../ui/format.ts';
import { Json } from '../ui/json.tsx';
import { Text } from '../ui/text.tsx';
import { visibleText } from '../ui/visible-text.ts';
import { may } from '../wire/activity.ts';
import { callApi } from '../wire/call-api.ts';
import { ExplainForm } from './explain-form.tsx';
import { HookCases, useCases } from './rule-cases.tsx';
import { Shelf } from './shelf.tsx';
import { type HookNumbers, useHooks } from './use-hooks.ts';

/** The enabled hooks in their order, with their statistics; other available hooks; and a dry run of a call. */
export function HooksView() {
  const [days, setDays] = useState<number | undefined>();
  const { hooks, numbers, since, error, reload } = useHooks(days);
  const cases = useCases();
  const [at, setAt] = useState(-1);
  const [filter, setFilter] = useState('');
  const wanted = filter.toLowerCase();
  const shown = hooks.filter(({ name, type = '', description = '' }) =>
    `${name} ${type} ${description}`.toLowerCase().includes(wanted),
  );
  const step = (by: number) => setAt(Math.min(Math.max(at + by, 0), shown.length - 1));
  useShortcuts({
    ...stepKeys(step),
    Escape: () => setAt(-1),
  });
  return (
    <div class="hooks">
      <div class="view-head">
        <h1>Hooks</h1>
        <label class="faint">
          statistics{' '}
          <select
            value={days ?? ''}
            onChange={({ currentTarget: { value } }) => setDays(value === '' ? undefined : Number(value))}
          >
            <option value="">since the start{since !== undefined && days === undefined && `, ${since}`}</option>
            <option value="1">of today (UTC)</option>
            <option value="7">of 7 days</option>
            <option value="30">of 30 days</option>
          </select>
        </label>
      </div>
      <ErrorNotice of={error} />
      <div class="hooks-columns">
        <section aria-label="Hooks in running order">
          <div class="list-bar">
            <input
              type="search"
              data-filter
              placeholder="Filter hooks"
              aria-label="Filter hooks"
              value={filter}
              onInput={(event) => setFilter(event.currentTarget.value)}
            />
          </div>
          {shown.length === 0 && error === '' && (
            <p class="empty-list">{hooks.length === 0 ? 'No hook is enabled.' : 'No hook matches.'}</p>
          )}
          <ol class="hook-list">
            {shown.map((hook, index) => (
              <HookRow
                key={`${hook.name} ${hook.enabled}`}
                hook={hook}
                numbers={numbers.get(hook.name)}
                cases={cases}
                band={bandBefore(shown, index)}
                selected={index === at}
                onSelect={() => setAt(index === at ? -1 : index)}
                onSwitched={reload}
              />
            ))}
          </ol>
          <Shelf />
        </section>
        <ExplainForm />
      </div>
    </div>
  );
}

function bandBefore(hooks: readonly HookInForce[], index: number): string | undefined {
  const of = (hook: HookInForce | undefined) => hook && (hook.priority === undefined ? 'Off' : bandOf(hook.priority));
  const own = of(hooks[index]);
  return own === of(hooks[index - 1]) ? undefined : own;
}

interface RowProps {
  readonly hook: HookInForce;
  readonly numbers: HookNumbers | undefined;
  readonly cases: ReturnType<typeof useCases>;
  readonly band: string | undefined;
  readonly selected: boolean;
  readonly onSelect: () => void;
  readonly onSwitched: () => void;
}

function HookRow({ hook, numbers, cases, band, selected, onSelect, onSwitched }: RowProps) {
  const { name, enabled, type, priority, description, match, from, file, line } = hook;
  const [error, setError] = useState('');
  useEffect(() => setError(''), [enabled]);
  const turn = async () => {
    const answer = await callApi('POST', `/api/hooks/${encodeURIComponent(name)}/switch`, { enabled: !enabled });
    setError(answer.error);
    if (answer.ok) onSwitched();
  };
  return (
    <>
      {band !== undefined && <li class="band">{band}</li>}
      <li class={selected ? 'hook selected' : 'hook'}>
        <div class="hook-head">
          <span class="priority">{priority ?? '–'}</span>
          <button type="button" class="hook-name" aria-expanded={selected} onClick={onSelect}>
            <Text in="strong" of={name} />
            <span class="faint">{type !== undefined && type !== name ? <Text of={type} /> : ''}</span>
          </button>
          {numbers && <Numbers of={numbers} />}
          <button
            type="button"
            role="switch"
            class="switch"
            aria-checked={enabled}
            aria-label={`${visibleText(name)} is ${enabled ? 'on' : 'off'}`}
            disabled={!may('configure') || from === 'host'}
            onClick={turn}
          >
            <i aria-hidden="true" />
          </button>
        </div>
        <ErrorNotice of={error} />
        {selected && (
          <div class="hook-more">
            {description !== undefined && <Text in="p" of={description} />}
            <p class="faint">
              {from === 'host'
                ? 'Built into the host'
                : from === 'files'
                  ? 'From the configuration files'
                  : 'From your saved configuration'}
              {file !== undefined && (
                <>
                  : <Text in="code" of={line === undefined ? file : `${file}:${line}`} />
                </>
              )}
            </p>
            {match !== undefined && (
              <div class="json">
                <Json of={{ match }} />
              </div>
            )}
            {cases && <HookCases hook={hook} of={cases} />}
          </div>
        )}
      </li>
    </>
  );
}

function Numbers({ of: { ran, changed, decided, failed, p50Ms, p95Ms } }: { readonly of: HookNumbers }) {
  return (
    <span class="numbers">
      <span title="number of calls">{showCount(ran)}×</span>
      {changed > 0 && <span class="effect effect-changed">{showCount(changed)} changed</span>}
      {decided > 0 && <span class="effect effect-decided">{showCount(decided)} decided</span>}
      {failed > 0 && <span class="effect effect-failed">{showCount(failed)} failed</span>}
      <span class="faint" title="median and 95th percentile of the duration">
        {showMs(p50Ms)} / {showMs(p95Ms)}
      </span>
    </span>
  );
}

/** The bands of priorities, named as in HookPriority. */
const bands = [
  ['Security', 10],
  ['Auth', 20],
  ['Validation', 50],
  ['Preprocessing', 80],
  ['Business', 100],
  ['Postprocessing', 300],
  ['Logging', 500],
  ['Metrics', 600],
] as const;

/** Returns the band of a priority: the last that begins at or below it. Lower priorities belong to the first band. */
function bandOf(priority: number): string {
  return (bands.findLast(([, from]) => priority >= from) ?? bands[0])[0];
}
