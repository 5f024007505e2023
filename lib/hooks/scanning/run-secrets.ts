import type { RunInfo } from '../../events/parts/run-info.ts';
import { processWide } from '../../events/values/process-wide.ts';
import { createSecretMemory } from '../../redaction/memory/secret-memory.ts';
import type { Redactor, SecretMemory } from '../../redaction/redactor.ts';

/** The values found in a run and its sub-agents. */
interface RunSecrets {
  readonly all: SecretMemory;
  readonly own: WeakMap<object, SecretMemory>;
}

/** Higher than the limit of a single hook. */
const MOST = 256;

/** Kept only in this process and never saved. They are dropped with the run, apart from tables of the latest memories. */
const known = processWide('runSecrets.1', () => ({
  byRun: new WeakMap<RunInfo, RunSecrets>(),
  byId: new Map<string, WeakRef<RunSecrets>>(),
  gone: new FinalizationRegistry<string>((id) => {
    if (!known.byId.get(id)?.deref()) known.byId.delete(id);
  }),
}));

/** Returns all values that hooks have found in the run. For observers only, because their findings must not change the run. */
export function secretsOf(run: RunInfo): SecretMemory {
  return secretsIn(run).all;
}

/** Returns the values that `owner`, a hook that changes the run, has found in it. It may have to keep the findings of other hooks. */
export function ownSecretsOf(run: RunInfo, owner: object): SecretMemory {
  const { all, own } = secretsIn(run);
  const made = own.get(owner) ?? createSecretMemory({ also: all });
  own.set(owner, made);
  return made;
}

/** Returns a redactor for observers of a run. It includes the findings of all hooks. */
export function redactorIn(run: RunInfo, redactor: Redactor): Redactor {
  const memory = secretsOf(run);
  const usual = { memory };
  return {
    redact: (text, options) => redactor.redact(text, options?.leave ? { ...options, memory } : usual),
    stream: (options) => redactor.stream({ ...options, memory }),
  };
}

function secretsIn(run: RunInfo): RunSecrets {
  const found = known.byRun.get(run);
  if (found) return found;
  const shared = run.parentRunId === undefined ? undefined : known.byId.get(run.parentRunId)?.deref();
  const secrets = shared ?? { all: createSecretMemory({ most: MOST }), own: new WeakMap() };
  known.byRun.set(run, secrets);
  known.byId.set(run.runId, new WeakRef(secrets));
  known.gone.register(secrets, run.runId);
  return secrets;
}
