import { useMemo } from 'preact/hooks';
import { Text } from '../ui/text.tsx';
import { difference, wordsOf } from './difference.ts';

/** The number of unchanged characters shown around a change. */
const AROUND = 120;

/** Two texts as one: removed and added parts, and their surroundings. */
export function WordDiff({ before, after }: { readonly before: string; readonly after: string }) {
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
