import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { pino } from 'pino';
import { HooklineError } from '../../../lib/errors.ts';
import type { SettledEvent } from '../../../lib/events/hook-event.ts';
import { type AuditLogOptions, auditLog, auditLogOptionsSchema } from '../../../lib/hooks/audit-log/audit-log.ts';
import { HookPriority } from '../../../lib/pipeline/define/hook.ts';
import { createRedactor } from '../../../lib/redaction/create-redactor.ts';
import { tempFolder } from '../../temp-folder.ts';
import { fakeContext } from '../fake-context.ts';
import * as sample from '../sample-events.ts';
import { MARKER, SECRET, standInRedactor } from '../stand-in-redactor.ts';

type Line = Record<string, unknown>;

/** The lines that the hook writes for `events` with its own logger. */
function audit(events: SettledEvent[], options: AuditLogOptions = {}): Line[] {
  const lines: Line[] = [];
  const logger = pino({ level: 'trace' }, { write: (line) => void lines.push(JSON.parse(line)) });
  const hook = auditLog({ logger, ...options });
  const context = fakeContext();
  for (const event of events) hook.observe!(event, context);
  return lines;
}

const names = (lines: Line[]) => lines.map((line) => line['msg']);
const denied: SettledEvent = {
  ...sample.preActing,
  decision: { action: 'deny', reason: 'not on Sundays', by: 'guard' },
};

describe('auditLog', () => {
  it('is only an observer, in the logging band', () => {
    const hook = auditLog();
    expect(hook).to.include({ name: 'audit-log', priority: HookPriority.LOGGING });
    expect(hook).to.not.have.any.keys('on', 'approve', 'around', 'through');
  });

  it('records the family and the paths of a call, in the same words for all tools', () => {
    const calling = (name: string, input: object): SettledEvent => ({
      ...sample.preActing,
      toolCall: { ...sample.preActing.toolCall, name, input: input as never },
    });
    const patch = '*** Begin Patch\n*** Update File: a\n+x\n*** Add File: b\n+y\n*** End Patch';
    const lines = audit([
      calling('run_command', { command: 'ls' }),
      calling('read_file', { path: 'a' }),
      calling('apply_patch', { command: patch }),
      calling('update_plan', { path: 'a' }),
    ]);
    expect(lines.map(({ family, paths }) => [family, paths])).to.deep.equal([
      ['shell', undefined],
      ['read', ['a']],
      ['write', ['a', 'b']],
      ['other', undefined],
    ]);
    expect(
      audit([calling('read_file', { path: `/${SECRET}` })], { redact: standInRedactor })[0]?.['paths'],
    ).to.not.include(`/${SECRET}`);
    expect(audit([calling('read_file', { path: 'a' })], { args: false })[0])
      .to.include({ family: 'read' })
      .and.not.have.property('paths');
  });

  it('records a call that ran as start and end, with the fields of the JARVIS plan', () => {
    const [start, end] = audit([sample.preActing, sample.postActing]);
    const common = {
      tool: 'bash',
      args: { command: 'ls' },
      session_id: 'session-1',
      user_id: 'user-1',
      timestamp: '2026-04-04T14:56:27.000Z',
      run_id: 'run-1',
      parent_run_id: 'run-0',
      agent: 'main',
      iteration: 2,
      seq: 7,
      tool_call_id: 'call-1',
      permission: 'external',
    };
    expect(start).to.deep.include({ ...common, msg: 'tool_call_start' });
    expect(end).to.deep.include({
      ...common,
      msg: 'tool_call_end',
      success: true,
      duration_ms: 12,
      outcome: 'executed',
    });
  });

  it('does not record an error result as success', () => {
    const [end] = audit([{ ...sample.postActing, result: { content: 'no', isError: true } }]);
    expect(end).to.include({ msg: 'tool_call_end', success: false });
  });

  it('records the type and message of the error of a failed call, at level error', () => {
    const failed: SettledEvent = {
      ...sample.postActing,
      outcome: 'failed',
      result: { content: 'Failed.', isError: true },
    };
    const lines = audit([sample.preActing, sample.actingError, failed]);
    expect(names(lines)).to.deep.equal(['tool_call_start', 'error', 'tool_call_error']);
    const error = { error_type: 'RangeError', error: 'too far', level: 50 };
    expect(lines[1]).to.include({
      ...error,
      phase: 'acting',
      source: 'tool',
      error_code: 'E_FAR',
      cause: 'the map ends',
    });
    expect(lines[2]).to.include({ ...error, success: false, duration_ms: 12, outcome: 'failed' });
  });

  it('records the message to the model for an invalid call that never ran', () => {
    const result = { content: 'Unknown tool "bahs".', isError: true };
    const [line] = audit([{ ...sample.postActing, outcome: 'failed', result }]);
    expect(line).to.include({ msg: 'tool_call_error', error_type: 'InvalidCall', error: result.content });
  });

  it('drops the error of a call when the call ends', () => {
    const failed: SettledEvent = { ...sample.postActing, outcome: 'failed' };
    expect(audit([sample.actingError, sample.postActing, failed])[2]).to.include({ error_type: 'InvalidCall' });
    expect(audit([sample.actingError, sample.postCall, failed])[2]).to.include({ error_type: 'InvalidCall' });
  });

  it('records a denied call with its hook and reason, without a start', () => {
    const told = { content: 'Softened.', isError: true };
    const lines = audit([denied, { ...sample.postActing, outcome: 'denied', result: told }]);
    expect(names(lines)).to.deep.equal(['decision', 'tool_call_denied']);
    const by = { by: 'guard', reason: 'not on Sundays', tool: 'bash' };
    expect(lines[0]).to.include({ ...by, event: 'preActing', action: 'deny' });
    expect(lines[1]).to.include({ hook: 'guard', reason: 'not on Sundays', outcome: 'denied', success: false });
    expect(lines[1]!['args']).to.deep.equal({ command: 'ls' });
  });

  it('separates calls of two runs with the same ids', () => {
    const other = {
      ...sample.postActing,
      run: { ...sample.postActing.run, runId: 'run-2' },
      outcome: 'denied',
    } as const;
    const lines = audit([denied, other, { ...sample.postActing, outcome: 'denied' }]);
    expect(lines.slice(1).map((line) => line['hook'])).to.deep.equal([undefined, 'guard']);
  });

  it('separates the open calls of one run', () => {
    const second = { ...sample.preActing.toolCall, id: 'call-2' };
    const deniedToo: SettledEvent = {
      ...denied,
      toolCall: second,
      decision: { action: 'abort', reason: 'stop', by: 'other' },
    };
    const ends = [sample.postActing, { ...sample.postActing, toolCall: second }];
    const lines = audit([denied, deniedToo, ...ends.map((end) => ({ ...end, outcome: 'denied' }) as const)]);
    expect(lines.slice(2).map((line) => line['hook'])).to.deep.equal(['guard', 'other']);
  });

  it('records a call that a hook answered with an end but no start', () => {
    const result = { content: 'cached', isError: false };
    const answered: SettledEvent = { ...sample.preActing, decision: { action: 'respond', result, by: 'cache' } };
    const lines = audit([answered, { ...sample.postActing, outcome: 'responded' }]);
    expect(names(lines)).to.deep.equal(['decision', 'tool_call_end']);
    expect(lines[1]).to.include({ outcome: 'responded', hook: 'cache', success: true });
  });

  it('records all hooks that ask about a suspended call', () => {
    const asks = ['asker', 'other'].map((by) => ({ by, prompt: `${by}?` }));
    const suspended: SettledEvent = {
      ...sample.preActing,
      decision: { action: 'suspend', prompt: 'asker?\nother?', by: 'asker', asks },
    };
    const [decision] = audit([suspended]);
    expect(decision).to.deep.include({ action: 'suspend', by: 'asker', asked_by: ['asker', 'other'] });
  });

  it('records a suspended call at once, because its postActing is in another run', () => {
    const suspended: SettledEvent = {
      ...sample.preActing,
      decision: { action: 'suspend', prompt: 'Sure?', by: 'asker' },
    };
    const lines = audit([suspended]);
    expect(names(lines)).to.deep.equal(['decision', 'tool_call_suspended']);
    expect(lines[1]).to.include({ hook: 'asker', reason: 'Sure?' });
  });

  for (const outcome of ['executed', 'responded', 'denied', 'failed', 'skipped', 'cancelled'] as const) {
    it(`writes exactly one record for a postActing "${outcome}"`, () => {
      const lines = audit([{ ...sample.postActing, outcome }]);
      expect(lines).to.have.lengthOf(1);
      expect(lines[0]).to.include({ outcome, tool_call_id: 'call-1', duration_ms: 12 });
    });
  }

  it('records skipped and cancelled calls under their own names', () => {
    const lines = audit([
      { ...sample.postActing, outcome: 'skipped' },
      { ...sample.postActing, outcome: 'cancelled' },
    ]);
    expect(names(lines)).to.deep.equal(['tool_call_skipped', 'tool_call_cancelled']);
  });

  it('records the start and end of a run and of its model steps', () => {
    const lines = audit([
      sample.preCall,
      sample.postReasoning,
      { ...sample.postCall, outcome: 'failed', reason: 'down' },
    ]);
    expect(names(lines)).to.deep.equal(['call_start', 'reasoning_end', 'call_end']);
    const usage = { inputTokens: 10, outputTokens: 3 };
    expect(lines[1]).to.deep.include({ finish_reason: 'toolCalls', usage, tool_calls: ['bash'] });
    expect(lines[2]).to.deep.include({ outcome: 'failed', reason: 'down', usage, level: 50 });
  });

  it('records notes and decisions of any event, chunks included', () => {
    const notes = [{ by: 'mask', code: 'MASKED', message: 'one number', data: { count: 1 } }];
    const lines = audit([
      { ...sample.reasoningChunk, notes, decision: { action: 'abort', reason: 'leak', by: 'mask' } },
    ]);
    expect(names(lines)).to.deep.equal(['note', 'decision']);
    expect(lines[0]).to.deep.include({ by: 'mask', code: 'MASKED', message: 'one number', data: { count: 1 } });
    expect(lines[1]).to.include({ event: 'reasoningChunk', action: 'abort', by: 'mask', reason: 'leak' });
  });

  it('records no prompt, answer, result or chunk by default', () => {
    const events = [sample.preCall, sample.postReasoning, sample.reasoningChunk, sample.postActing, sample.postCall];
    expect(JSON.stringify(audit(events))).to.not.match(/PROMPT|ANSWER|OUTPUT|"result"/);
    const told = audit(events, { results: true, chunks: true, redact: false });
    expect(told[2]).to.include({ msg: 'reasoning_chunk', delta: 'ANSWER' });
    expect(told[3]).to.include({ msg: 'tool_call_end', result: 'OUTPUT' });
    expect(JSON.stringify(told)).to.not.include('PROMPT');
  });

  it('truncates a result to the configured number of characters', () => {
    const event = { ...sample.postActing, result: { content: 'x'.repeat(1_000), isError: false } };
    const [end] = audit([event], { results: 10 });
    expect(end!['result']).to.equal('xxxxxxx … [990 characters omitted] … xxx');
  });

  it('records no arguments with args: false, not even in the prompt of a suspension', () => {
    const suspended: SettledEvent = {
      ...sample.preActing,
      decision: { action: 'suspend', prompt: 'Run ls?', by: 'asker' },
    };
    expect(JSON.stringify(audit([sample.preActing, sample.postActing, suspended], { args: false }))).to.not.include(
      'ls',
    );
  });

  it('truncates huge arguments and marks it', () => {
    const input = {
      text: 'x'.repeat(1_000_000),
      list: Array.from({ length: 100_000 }, () => 'abc'),
      deep: [[[['y']]]],
    };
    const [line] = audit([sample.calling('write', input)]);
    const json = JSON.stringify(line);
    expect(json.length).to.be.below(60_000);
    expect(json)
      .to.include('995904 characters omitted')
      .and.match(/\[\d+ more omitted\]/);
  });

  it('redacts secrets in all that it writes', () => {
    const run = { ...sample.preActing.run, runId: 'run-3' };
    const chunk = (delta: string, last = false): SettledEvent => ({ ...sample.reasoningChunk, run, delta, last });
    const piece = (content: string, last = false): SettledEvent => ({
      ...{ type: 'actingChunk', run, iteration: 1, seq: 1, time: 1, toolCall: sample.preActing.toolCall },
      ...{ content, attempt: 1, last },
    });
    const events: SettledEvent[] = [
      sample.calling('bash', { command: `echo ${SECRET}`, list: [{ [SECRET]: SECRET }] }),
      { ...denied, decision: { action: 'deny', reason: `not with ${SECRET}`, by: 'guard' } },
      { ...denied, decision: { action: 'suspend', prompt: `Send ${SECRET}?`, by: 'guard' } },
      {
        ...sample.actingError,
        error: { name: SECRET, code: SECRET, message: SECRET, cause: { name: SECRET, message: SECRET } },
      },
      { ...sample.postActing, outcome: 'failed', result: { content: SECRET, isError: true } },
      { ...sample.postActing, result: { content: SECRET, isError: false } },
      ...[chunk('see KEY-ab'), chunk('12cd34 or KEY'), chunk('', true)],
      ...[piece('see KEY-ab'), piece('12cd34'), piece('', true)],
      {
        ...sample.postCall,
        run,
        reason: SECRET,
        notes: [{ by: 'x', code: 'c', message: SECRET, data: { at: SECRET } }],
      },
    ];
    const detail = { chunks: true, results: true };
    const lines = audit(events, { ...detail, redact: standInRedactor });
    expect(JSON.stringify(lines)).to.not.match(/ab12|KEY-ab|12cd/);
    expect(lines[0]?.['args']).to.deep.equal({ command: `echo ${MARKER}`, list: [{ [MARKER]: MARKER }] });
    const deltas = lines.filter(({ msg }) => msg === 'reasoning_chunk').map((line) => line['delta']);
    expect(deltas).to.deep.equal(['see ', `${MARKER} or `, 'KEY']);
    expect(JSON.stringify(lines).split(MARKER)).to.have.length(19);

    expect(JSON.stringify(audit(events, { ...detail, redact: false }))).to.include(SECRET);
  });

  it('does not split a secret when it truncates a long text', () => {
    for (const length of [300_000, 10_000, 5_000]) {
      for (let shift = 0; shift < 14; shift += 1) {
        const filler = '.'.repeat(shift);
        const text = filler + `${SECRET}..`.repeat(length / 14);
        const [line] = audit([sample.calling('write', { text })], { redact: standInRedactor });
        expect(JSON.stringify(line)).to.not.match(/KEY-|cd34/);
      }
    }
  });

  it('does not split a secret at the end of the read part of a long text', () => {
    const value = Array.from({ length: 200 }, (_, index) => `part ${index}`).join(', ');
    const redact = createRedactor([], { known: [{ label: 'long', value }] });
    const [line] = audit([sample.calling('write', { text: `${value}--`.repeat(200) })], { redact });
    expect(JSON.stringify(line)).to.include('[REDACTED:long]--').and.not.include('part 7,');
  });

  it('redacts by default', () => {
    expect(auditLogOptionsSchema.parse({})).to.include({ redact: true });
  });

  it('keeps each record on one line for any arguments', () => {
    const written: string[] = [];
    const hook = auditLog({ logger: pino({}, { write: (line) => void written.push(line) }) });
    const nasty = JSON.parse('{"a\\nb":"x\\ny\\u2028z\\u001b[2J","__proto__":{"toJSON":1}}');
    hook.observe!(sample.calling('a\nb', nasty), fakeContext());
    expect(written[0]!.indexOf('\n')).to.equal(written[0]!.length - 1);
    expect(JSON.stringify(JSON.parse(written[0]!).args)).to.equal(JSON.stringify(nasty));
  });

  it('logs at the configured level, and failures always at error', () => {
    const lines = audit([sample.preActing, sample.actingError], { level: 'debug' });
    expect(lines.map((line) => line['level'])).to.deep.equal([20, 50]);
  });

  it('writes to the log of the pipeline without a sink of its own', () => {
    const context = fakeContext();
    auditLog().observe!(sample.preActing, context);
    expect(names(context.logged)).to.deep.equal(['tool_call_start']);
  });

  it('writes nothing in a dry run', () => {
    const context = fakeContext({ dryRun: true });
    auditLog().observe!(sample.preActing, context);
    expect(context.logged).to.deep.equal([]);
  });

  it('rejects all invalid options at once', () => {
    const wrong = { results: -1, args: 'no', lvel: 'info', logger: {} } as unknown as AuditLogOptions;
    expect(() => auditLog(wrong))
      .to.throw(HooklineError, /logger: must be a pino logger\n {2}args: [\s\S]*results: Too small[\s\S]*"lvel"/)
      .with.property('code', 'OPTIONS_INVALID');
  });
});

describe('auditLog with a file', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = tempFolder('audit');
    file = join(folder, 'logs', 'audit.jsonl');
  });

  const linesOf = (path: string): Line[] =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));

  it('has written each record when observe returns, and creates the folder', () => {
    const hook = auditLog({ file });
    for (const event of [sample.preActing, sample.postActing]) hook.observe!(event, fakeContext());
    expect(names(linesOf(file))).to.deep.equal(['tool_call_start', 'tool_call_end']);
    expect(linesOf(file)[0]).to.not.have.any.keys('pid', 'hostname', 'time');
  });

  it('creates a file that only its owner can read', function () {
    if (process.platform === 'win32') {
      console.log('      passed over: Windows has no file modes');
      this.skip();
    }
    auditLog({ file });
    expect(statSync(file).mode & 0o777).to.equal(0o600);
  });

  it('appends to the file on a new line, even after a torn line', () => {
    mkdirSync(join(folder, 'logs'));
    writeFileSync(file, '{"msg":"old"}\n{"msg":"tor');
    auditLog({ file }).observe!(sample.preActing, fakeContext());
    const lines = readFileSync(file, 'utf8').split('\n');
    expect(lines.slice(0, 2)).to.deep.equal(['{"msg":"old"}', '{"msg":"tor']);
    expect(JSON.parse(lines[2]!)).to.include({ msg: 'tool_call_start' });
  });

  it('also writes to a logger if both are given', () => {
    const lines: Line[] = [];
    const logger = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
    auditLog({ file, logger }).observe!(sample.preActing, fakeContext());
    expect(lines).to.have.lengthOf(1);
    expect(linesOf(file)).to.have.lengthOf(1);
  });

  it('rejects a path that it cannot open, at construction', () => {
    writeFileSync(join(folder, 'plain'), '');
    for (const path of [folder, join(folder, 'plain', 'audit.jsonl')]) {
      expect(() => auditLog({ file: path }))
        .to.throw(HooklineError, `Cannot open the audit file "${path}" for appending`)
        .with.property('code', 'INPUT_INVALID');
    }
  });

  it('logs a full disk once and continues', function () {
    if (!existsSync('/dev/full')) {
      console.log('      passed over: there is no /dev/full');
      this.skip();
    }
    const hook = auditLog({ file: '/dev/full' });
    const context = fakeContext();
    for (let index = 0; index < 3; index += 1) hook.observe!(sample.preActing, context);
    expect(context.logged).to.have.lengthOf(1);
    expect(context.logged[0]).to.include({ level: 50, file: '/dev/full' });
    expect(context.logged[0]!['err']).to.include({ code: 'ENOSPC' });
  });

  it('recreates a removed folder, loses nothing and logs it', () => {
    const hook = auditLog({ file });
    const context = fakeContext();
    rmSync(join(folder, 'logs'), { recursive: true });
    hook.observe!(sample.preActing, context);
    expect(linesOf(file)).to.have.lengthOf(1);
    expect(context.logged.map((line) => (line['err'] as Line)['code'])).to.deep.equal(['ENOENT']);
  });

  it('reports the number of lost records as soon as it can write', () => {
    const hook = auditLog({ file });
    const context = fakeContext();
    rmSync(join(folder, 'logs'), { recursive: true });
    writeFileSync(join(folder, 'logs'), 'in the way');
    for (let index = 0; index < 2; index += 1) hook.observe!(sample.preActing, context);
    rmSync(join(folder, 'logs'));
    mkdirSync(join(folder, 'logs'));
    hook.observe!(sample.postActing, context);
    expect(linesOf(file)[0]).to.include({ msg: 'audit_gap', lost: 2 });
    expect(names(linesOf(file))).to.deep.equal(['audit_gap', 'tool_call_end']);
    expect(context.logged).to.have.lengthOf(1);
  });
});
