import { Text } from './text.tsx';

/** A name and its value, in a list of them (`dl`). */
export function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <Text in="dd" of={value} />
    </div>
  );
}
