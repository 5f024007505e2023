const examples = [
  ['deploy "exit code"', 'prompts, answers, calls and results with this word and this text'],
  ['tool:bash', 'a tool was called'],
  ['agent: session: model: user:', 'names that contain the text'],
  ['state:waiting outcome:failed', 'state or outcome'],
  ['by:guard', 'a hook decided'],
  ['after:2026-01-31 before:2026-02-07', 'start time'],
  ['cost>0.5 tokens>10000', 'sums; also with <'],
] as const;

/** The syntax of the filter. */
export function FilterHelp() {
  return (
    <details class="filter-help">
      <summary>Filter syntax</summary>
      <dl id="filter-help">
        {examples.map(([example, what]) => (
          <div key={example}>
            <dt>
              <code>{example}</code>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
