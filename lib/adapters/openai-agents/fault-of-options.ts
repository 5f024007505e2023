import { faultOfSettings } from '../../loops/fault-of-hooks.ts';

/** Why these cannot be options of a run, if so: nothing that an answer or a name lets through is guessed. */
export function faultOfOptions(options: unknown, known: readonly string[]): string | undefined {
  const fault = faultOfSettings(options, known);
  if (fault !== undefined) return fault;
  const { answers, unhooked } = options as { readonly answers?: unknown; readonly unhooked?: unknown };
  return faultOfAnswers(answers) ?? faultOfNames(unhooked);
}

function faultOfNames(unhooked: unknown): string | undefined {
  const names = unhooked === undefined || (Array.isArray(unhooked) && unhooked.every((one) => typeof one === 'string'));
  return names ? undefined : "cannot hold this unhooked: it must be a list of names of tools, such as ['web_search']";
}

function faultOfAnswers(answers: unknown): string | undefined {
  if (answers === undefined) return undefined;
  if (!isObject(answers))
    return 'cannot hold these answers: answers must be an object by id of the call, such as { c1: { approved: true } }';
  for (const [id, answer] of Object.entries(answers)) {
    const cannot = `cannot hold this answer to "${id}"`;
    if (!isObject(answer) || typeof answer['approved'] !== 'boolean')
      return `${cannot}: approved must be true or false, such as { approved: true }`;
    const { input } = answer;
    if (input !== undefined && !isObject(input))
      return `${cannot}: input must be an object, which is what the tool is run with, or left out`;
  }
  return undefined;
}

function isObject(value: unknown): value is { readonly [member: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
