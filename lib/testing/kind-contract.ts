import { z } from 'zod';
import { messageOf } from '../errors/describe-thrown.ts';
import { eventTypes } from '../events/decisions/event-rules.ts';
import type { EventType } from '../events/hook-event.ts';
import { type CatalogueEntry, createCatalogue } from '../hooks/catalogue.ts';
import type { HookHost } from '../hooks/hook-host.ts';
import type { Hook } from '../pipeline/define/hook.ts';
import { type ContractIssue, collectIssues, withoutIssues } from './contract/contract-issues.ts';
import { type HookContractOptions, hookContract } from './hook-contract.ts';

/** Options of a kind contract, in addition to those of the contract of its hook. */
export interface KindContractOptions extends HookContractOptions {
  /** The parts of a host that the kind requires. */
  readonly host?: HookHost;
}

/** Result of `kindContract`. */
export interface KindContractReport {
  readonly kind: string;
  readonly issues: readonly ContractIssue[];
}

/**
 * Tests a kind of hooks for configurations, as packages export it. It checks that editors and `hookline check` can describe the options, that the
 * example is valid JSON, and that the hook of the example matches the description and keeps `hookContract`. Resolves with a report, or rejects with
 * one error that lists every issue.
 */
export async function kindContract(
  entry: CatalogueEntry,
  { host, ...options }: KindContractOptions = {},
): Promise<KindContractReport> {
  const catalogue = createCatalogue([entry]);
  const issues = collectIssues();
  checkOptions(entry, (where, issue) => issues.add(where, issue));
  const hook = attempt(() => catalogue.create(entry.name, entry.example ?? {}, host));
  if ('failure' in hook) issues.add('create', `fails with the example: ${hook.failure}`);
  else {
    checkHook(entry, hook.made, (where, issue) => issues.add(where, issue));
    for (const { where, issue } of await contractIssues(hook.made, options)) issues.add(where, issue);
  }
  return withoutIssues(`Kind "${entry.name}" does not keep the contract of kinds`, {
    kind: entry.name,
    issues: issues.all,
  });
}

type Add = (where: string, issue: string) => void;

function checkOptions({ optionsSchema, example = {}, weakens }: CatalogueEntry, add: Add): void {
  const described = attempt(() => z.toJSONSchema(optionsSchema, { io: 'input', unrepresentable: 'any' }));
  if ('failure' in described) {
    add('optionsSchema', `has no JSON Schema: ${described.failure}`);
    return;
  }
  for (const { type, additionalProperties, properties = {} } of shapesOf(described.made)) {
    if (type !== 'object' || additionalProperties !== false)
      add('optionsSchema', 'accepts unknown options, so a typo has no effect. Use z.strictObject().');
    for (const [name, option] of Object.entries(properties))
      if (typeof option === 'boolean' || (option.description ?? referred(described.made, option)) === undefined)
        add(`optionsSchema.${name}`, 'has no description for editors. Use .describe().');
  }
  if (!z.json().safeParse(example).success) add('example', 'is not JSON, so no file can contain it.');
  const tried = attempt(() => optionsSchema.safeParse(example));
  if ('failure' in tried) {
    add('optionsSchema', `fails: ${tried.failure}`);
    return;
  }
  const parsed = tried.made;
  if (!parsed.success) {
    add('example', `is invalid: ${z.prettifyError(parsed.error).replace(/\s+/g, ' ')}`);
    return;
  }
  const same = attempt(() => weakens?.(parsed.data, parsed.data) ?? false);
  if ('failure' in same) add('weakens', `fails: ${same.failure}`);
  else if (same.made) add('weakens', 'says that unchanged options weaken the hook.');
}

/** Returns the description of a schema with an ID, which a reference names. */
function referred({ $defs = {} }: z.core.JSONSchema.BaseSchema, { $ref = '' }: z.core.JSONSchema.BaseSchema) {
  return $defs[$ref.replace('#/$defs/', '')]?.description;
}

/** Returns the objects that options may be: several for a union. */
function shapesOf(schema: z.core.JSONSchema.BaseSchema): readonly z.core.JSONSchema.BaseSchema[] {
  const parts = schema.anyOf ?? schema.oneOf;
  return parts ? parts.flatMap((one) => (typeof one === 'boolean' ? [] : shapesOf(one))) : [schema];
}

function checkHook({ events, approves = events.includes('preActing') }: CatalogueEntry, hook: Hook, add: Add): void {
  for (const type of eventTypes)
    if (handles(hook, type) && !events.includes(type)) add('events', `does not list ${type}, which the hook handles.`);
  // An approver of the hook's own tools goes with them.
  if (!approves && !hook.tools && (hook.approve || hook.denies))
    add('approves', 'is false, and the hook may deny calls. A later file could then remove it.');
}

function handles({ on = {}, through = {}, approve }: Hook, type: EventType): boolean {
  if (type === 'preActing' && approve) return true;
  // One handler for all events is not of a certain type.
  return (typeof on === 'object' && on[type] !== undefined) || type in through;
}

async function contractIssues(hook: Hook, options: HookContractOptions): Promise<readonly ContractIssue[]> {
  try {
    return (await hookContract(hook, options)).issues;
  } catch (thrown) {
    const { report } = thrown as { report?: { issues: readonly ContractIssue[] } };
    if (!report) throw thrown;
    return report.issues;
  }
}

function attempt<T>(make: () => T): { readonly made: T } | { readonly failure: string } {
  try {
    return { made: make() };
  } catch (thrown) {
    return { failure: messageOf(thrown).replace(/\s+/g, ' ') };
  }
}
