import type { ModelRequest } from '../pipeline/define/model.ts';
import type { Logger } from '../pipeline/logger.ts';

/** Warns if a hook selects another model (`preReasoning.model`) and only the host can choose the model. */
export function warnOtherModel({ model }: ModelRequest, log: Logger): void {
  if (model === undefined) return;
  log.warn(
    { model },
    'a hook selects another model by name, which this loop does not support: the model of the host is used',
  );
}
