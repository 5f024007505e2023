import { Text } from './text.tsx';

/** An error message, announced to screen readers. Nothing if it is empty. */
export function ErrorNotice({ of }: { readonly of: string }) {
  if (of === '') return null;
  return (
    <p class="notice error" role="alert">
      <Text of={of} />
    </p>
  );
}
