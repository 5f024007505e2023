/** A separate process that writes audit records. Arguments: file, first number, count and the options of `auditLog`. */
import { auditLog } from '../../../lib/hooks/audit-log/audit-log.ts';
import { fakeContext } from '../fake-context.ts';
import { numbered } from './audit-folder.ts';

const [file = '', first, count, options = '{}'] = process.argv.slice(2);
const hook = auditLog({ file, ...JSON.parse(options) });
const context = fakeContext();
for (let index = 0; index < Number(count); index += 1) hook.observe!(numbered(Number(first) + index), context);
if (context.logged.length > 0) throw new Error(JSON.stringify(context.logged));
