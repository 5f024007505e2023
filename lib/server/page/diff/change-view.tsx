import { useMemo } from 'preact/hooks';
import { Json } from '../ui/json.tsx';
import { Text } from '../ui/text.tsx';
import { difference, wordsOf } from './difference.ts';
import { type Change, jsonChanges } from './json-changes.ts';

/** The change of a value by a hook: its path, and the new value over the old one. */
export function ChangeView({ of }: { readonly of: Change }) {
  const deeper = isHolder(of.before) && isHolder(of.after) ? jsonChanges(of.before, of.after, of.path) : [of];
  return (
    <>
      {deeper.map((change) => (
        <OneChange key={change.path} of={change} />
      ))}
      {JSON.stringify(of.before) === JSON.stringify(of.after) && !of.cut && (
        <p class="faint small">Only redacted text differs.</p>
      )}
      {of.cut && <p class="faint small">The trace stores only the beginning.</p>}
    </>
  );
}

function OneChange({ of }: { readonly of: Change }) {
  const { path, before, after } = of;
  const kind = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
  return (
    <div class={`change change-${kind}`}>
      <div class="change-path">
        <Text in="code" of={path} />
        <span class="faint">{kind}</span>
      </div>
      <div class="change-body">
        {typeof before === 'string' && typeof after === 'string' ? (
          <WordDiff before={before} after={after} />
        ) : (
          <>
            {before !== undefined && (
              <del class="block">
                <Json of={before} />
              </del>
            )}
            {after !== undefined && (
              <ins class="block">
                <Json of={after} />
              </ins>
            )}
          </>
        )}
      </div>
    </div>
  );
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The number of unchanged characters shown around a change. */
const AROUND = 120;

/** Two texts as one: removed and added parts, and their surroundings. */
function WordDiff({ before, after }: { readonly before: string; readonly after: string }) {
  const parts = useMemo(() => difference(wordsOf(before), wordsOf(after)), [before, after]);
  return (
    <span class="word-diff">
      {parts.map(({ kind, items }, at) => {
        const text = items.join('');
        const key = `${at}`;
        if (kind === 'removed')
          return (
            <del key={key}>
              <Text of={text} />
            </del>
          );
        if (kind === 'added')
          return (
            <ins key={key}>
              <Text of={text} />
            </ins>
          );
        return <Text key={key} of={shortened(text, at === 0, at === parts.length - 1)} />;
      })}
    </span>
  );
}

function shortened(text: string, isFirst: boolean, isLast: boolean): string {
  if (text.length <= 2 * AROUND + 20) return text;
  return `${isFirst ? '' : text.slice(0, AROUND)} … ${isLast ? '' : text.slice(-AROUND)}`;
}
