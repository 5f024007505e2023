import { useEffect, useState } from 'preact/hooks';
import { Json } from '../ui/json.tsx';
import { Text } from '../ui/text.tsx';
import { callApi } from '../wire/call-api.ts';

interface Kind {
  readonly name: string;
  readonly description: string;
  readonly options?: unknown;
  readonly example?: unknown;
}

/** The kinds of hooks that a configuration may name, with their options where they are told. */
export function Shelf() {
  const [kinds, setKinds] = useState<readonly Kind[]>([]);
  useEffect(() => {
    void callApi<{ builtin: readonly Kind[]; custom: readonly Kind[] }>('GET', '/api/hooks/available').then(
      ({ ok, body }) => ok && setKinds([...body.custom, ...body.builtin]),
    );
  }, []);
  if (kinds.length === 0) return null;
  return (
    <details class="shelf">
      <summary>The shelf: {kinds.length} kinds of hooks that a configuration may name</summary>
      <ul>
        {kinds.map(({ name, description, options, example }) => (
          <li key={name}>
            <code>
              <Text of={name} />
            </code>
            <p>
              <Text of={description} />
            </p>
            {example !== undefined && (
              <div class="json">
                <Json of={example} />
              </div>
            )}
            {options !== undefined && (
              <details>
                <summary>Options</summary>
                <div class="json">
                  <Json of={options} />
                </div>
              </details>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
