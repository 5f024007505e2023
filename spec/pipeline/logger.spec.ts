import { expect } from 'chai';
import { createPipeline, defineHook, type Logger } from '../../lib/index.ts';
import { safeLogger } from '../../lib/pipeline/logger.ts';

const failing = defineHook({
  name: 'metrics',
  observe() {
    throw new Error('no connection');
  },
});

/** The console output of `act`. */
function onConsole(act: () => void): string[] {
  const lines: string[] = [];
  const kept = { ...console };
  for (const level of ['debug', 'info', 'log', 'warn', 'error'] as const)
    console[level] = (...parts: unknown[]) => void lines.push(`${level} ${parts.join(' ')}`);
  try {
    act();
  } finally {
    Object.assign(console, kept);
  }
  return lines;
}

function listing(own: Partial<Logger> = {}): Logger & { readonly lines: unknown[] } {
  const lines: unknown[] = [];
  const method = (level: string) => (fields: object | string, message?: string) =>
    void lines.push([level, message ?? fields, fields]);
  return { lines, debug: method('debug'), info: method('info'), warn: method('warn'), error: method('error'), ...own };
}

describe('the log of a pipeline', () => {
  const begin = (log?: Logger) =>
    createPipeline([failing], log ? { log } : {})
      .start({ agent: 'a' })
      .begin([])
      .subscribe();

  it('writes a failing observer with its error to the console by default', () => {
    const [line, ...rest] = onConsole(() => begin());
    expect(rest).to.deep.equal([]);
    expect(line).to.match(/^error hookline: an observer failed .*"hook":"metrics".*\n {2}Error: no connection\n/);
  });

  const noChild: Record<string, (bindings: object) => unknown> = {
    throws: () => {
      throw new Error('no child');
    },
    'returns nothing': () => undefined,
    'returns no logger': () => ({ info() {} }),
  };
  for (const [how, child] of Object.entries(noChild)) {
    it(`continues when the child() of a logger ${how}, with its fields on each line`, () => {
      const log = listing({ child: child as never });
      begin(log);
      safeLogger(log).child({ a: 1 }).child({ b: 2 }).warn({ c: 3 }, 'told');
      expect(log.lines[0]).to.deep.include('an observer failed');
      expect(log.lines.at(-1)).to.deep.equal(['warn', 'told', { a: 1, b: 2, c: 3 }]);
    });
  }

  it('leaves no unhandled rejection for an asynchronous logger that fails', async () => {
    const rejections: unknown[] = [];
    const keep = (reason: unknown): void => void rejections.push(reason);
    process.on('unhandledRejection', keep);
    begin(listing({ error: (async () => Promise.reject(new Error('no disk'))) as never }));
    await new Promise((resolve) => setTimeout(resolve, 1));
    process.off('unhandledRejection', keep);
    expect(rejections).to.deep.equal([]);
  });

  it('writes only warnings and errors by default', () => {
    const log = createPipeline([
      defineHook({
        name: 'chatty',
        on: {
          preCall(_event, context) {
            context.log.debug('a');
            context.log.info({ n: 1 }, 'b');
            context.log.warn({ n: 1 }, 'c');
          },
        },
      }),
    ]);
    const lines = onConsole(() => log.start({ agent: 'a', sessionId: 's' }).begin([]).subscribe());
    expect(lines).to.have.length(1);
    expect(lines[0]).to.match(/^warn hookline: c .*"hook":"chatty","agent":"a"/);
  });

  it('writes to a given logger and not to the console', () => {
    const log = listing();
    expect(onConsole(() => begin(log))).to.deep.equal([]);
    expect(log.lines).to.have.length(1);
    expect(log.lines).to.have.nested.property('[0][0]', 'error');
  });

  it('adds the child fields to each line of a logger without `child`', () => {
    const log = listing();
    safeLogger(log).child({ hook: 'h' }).child({ run: 'r' }).warn({ n: 1 }, 'm');
    expect(log.lines).to.deep.equal([['warn', 'm', { hook: 'h', run: 'r', n: 1 }]]);
  });

  it('writes text to a logger that cannot serialize a value', () => {
    const lines: unknown[] = [];
    const log = listing({ error: (fields, message) => void lines.push([JSON.stringify(fields), message]) });
    safeLogger(log).error({ hook: 'h', err: 1n, of: { toJSON: () => 1n } }, 'm');
    expect(lines).to.have.length(1);
  });

  it('continues when a logger throws', () => {
    const log = listing({
      error() {
        throw new Error('disk full');
      },
    });
    const events: string[] = [];
    createPipeline([failing], { log })
      .start({ agent: 'a' })
      .begin([])
      .subscribe(({ type }) => events.push(type));
    expect(events).to.deep.equal(['preCall']);
  });

  it('rejects a value that is not a logger and names it', () => {
    expect(() => createPipeline([], { log: { warn() {} } as never })).to.throw(
      /log.*methods debug, info, warn and error/s,
    );
  });
});
