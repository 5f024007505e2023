/** Specs make hooks fail on purpose; what the engine then says on the console of a pipeline without a logger would drown mocha's own report. */
for (const level of ['warn', 'error'] as const) {
  const write = console[level].bind(console);
  console[level] = (...line: unknown[]) => {
    if (typeof line[0] !== 'string' || !line[0].startsWith('hookline: ')) write(...line);
  };
}
