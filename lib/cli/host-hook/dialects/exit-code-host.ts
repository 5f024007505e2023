import type { JsonObject } from '../../../events/values/json-value.ts';
import type { HostAnswer } from '../host-answer.ts';
import type { HostMoment } from '../judge/host-moment.ts';
import { oneLine, refuseWith } from './answer-text.ts';
import type { Dialect } from './dialect.ts';

/** Creates the dialect of a host that reads exit codes only: 2 denies with the text on standard error, and every other code continues. */
export function exitCodeHost(host: Dialect['host'], title: string, read: (event: JsonObject) => HostMoment): Dialect {
  return {
    host,
    title,
    read,
    write: (_, { refused }) =>
      refused === undefined ? PASS : { code: 2, stdout: '', stderr: `${oneLine(refused)}\n` },
    refuse: refuseWith(
      () => ({ code: 2, stdout: '' }),
      () => PASS,
    ),
  };
}

const PASS: HostAnswer = { code: 0, stdout: '', stderr: '' };
