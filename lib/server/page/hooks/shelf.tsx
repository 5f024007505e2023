import { useEffect, useState } from 'preact/hooks';
import { Json } from '../ui/json.tsx';
import { Text } from '../ui/text.tsx';
import { callApi } from '../wire/call-api.ts';

interface Kind {
  readonly name: string;
  readonly description: string;
}

interface Option {
  readonly description?: string;
  readonly default?: unknown;
  /** A value that only a program can pass. */
  readonly not?: object;
}

/** Lists the kinds of hooks that a configuration may use. */
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
      <summary>{kinds.length} kinds of hooks for configurations</summary>
      <ul>
        {kinds.map((kind) => (
          <li key={kind.name}>
            <OnShelf kind={kind} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** A kind; its options are loaded when it is expanded. */
function OnShelf({ kind: { name, description } }: { readonly kind: Kind }) {
  const [options, setOptions] = useState<Readonly<Record<string, Option>> | undefined>();
  const load = async () => {
    if (options) return;
    const { ok, body } = await callApi<{ options: { properties?: Record<string, Option> } }>(
      'GET',
      `/api/hooks/available/${encodeURIComponent(name)}`,
    );
    if (ok) setOptions(body.options.properties ?? {});
  };
  return (
    <details onToggle={() => void load()}>
      <summary>
        <Text in="code" of={name} /> <Text in="span" class="faint" of={description} />
      </summary>
      <dl class="options">
        {Object.entries(options ?? {}).map(([option, { description: says = '', default: usual, not }]) => (
          <div key={option}>
            <dt>
              <Text in="code" of={option} />
            </dt>
            <dd>
              <Text of={says} />
              {usual !== undefined && (
                <span class="faint">
                  {' '}
                  Default: <Json of={usual} depth={9} />
                </span>
              )}
              {not && <span class="faint"> Only in code.</span>}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
