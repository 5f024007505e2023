import { z } from 'zod';
import type { Redactor } from '../../redaction/redactor.ts';

/** The option `redact` of a hook that writes something down: on by default, off in a configuration file only. */
export function redactOption(of: string) {
  return z
    .union(
      [z.boolean(), z.custom<Redactor>((value) => typeof (value as Redactor | null)?.stream === 'function')],
      'must be true, false or a redactor',
    )
    .default(true)
    .describe(`Whether secrets are taken out${of}; a redactor of your own knows more of them.`)
    .meta({ filesOnly: [false] });
}
