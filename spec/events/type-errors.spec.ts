import { join } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';

const SCRATCH = join(__dirname, 'scratch.ts');
/** A line uses only some of the imports. */
const UNUSED = 6133;
const IMPORTS = `
import { abort } from '../../lib/events/decisions/abort.ts';
import { deny } from '../../lib/events/decisions/deny.ts';
import { finish } from '../../lib/events/decisions/finish.ts';
import type { EventOf } from '../../lib/events/hook-event.ts';
import { respond } from '../../lib/events/decisions/respond.ts';
import { retry } from '../../lib/events/decisions/retry.ts';
declare const preCall: EventOf<'preCall'>;
declare const postActing: EventOf<'postActing'>;
declare const postReasoning: EventOf<'postReasoning'>;
declare const postCall: EventOf<'postCall'>;
declare const preActing: EventOf<'preActing'>;
`;

/** Compiler errors of each line, as an editor shows them. */
function messagesFor(lines: readonly string[]): string[] {
  const { config } = ts.readConfigFile(join(__dirname, '../../tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, join(__dirname, '../..'));
  const host = ts.createCompilerHost(options);
  const text = IMPORTS + lines.join('\n');
  const { getSourceFile } = host;
  host.getSourceFile = (name, version) =>
    name === SCRATCH ? ts.createSourceFile(name, text, version) : getSourceFile.call(host, name, version);
  const program = ts.createProgram([SCRATCH], options, host);
  return program
    .getSemanticDiagnostics(program.getSourceFile(SCRATCH))
    .filter(({ category, code }) => category === ts.DiagnosticCategory.Error && code !== UNUSED)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

describe('the compiler error for an illegal decision', () => {
  it('contains the event and the decision in one line, and the type by name', () => {
    const messages = messagesFor([
      `deny(preCall, 'no');`,
      'finish(preActing);',
      'retry(postActing);',
      `respond(postReasoning, 'instead');`,
      `abort(postCall, 'no');`,
    ]);
    expect(messages).to.deep.equal([
      illegal('PreCall', 'deny'),
      illegal('PreActing', 'finish'),
      illegal('PostActing', 'retry'),
      illegal('PostReasoning', 'respond'),
      illegal('PostCall', 'abort'),
    ]);
  });
});

function illegal(event: string, decision: string): string {
  const type = event[0]?.toLowerCase() + event.slice(1);
  const said = JSON.stringify(`the handlers of ${type} cannot decide "${decision}"`);
  return `Argument of type '${event}' is not assignable to parameter of type '${said}'.`;
}
