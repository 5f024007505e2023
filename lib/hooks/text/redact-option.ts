import { z } from 'zod';
import type { Redactor } from '../../redaction/redactor.ts';

/** The option `redact` of a hook that writes data: on by default. Only a configuration file can turn it off. */
export function redactOption(of: string) {
  return z
    .union(
      [z.boolean(), z.custom<Redactor>((value) => typeof (value as Redactor | null)?.stream === 'function')],
      'must be true, false or a redactor',
    )
    .default(true)
    .describe(`Redacts secrets${of}. Pass your own redactor to find more of them.`)
    .meta({ filesOnly: [false] });
}
