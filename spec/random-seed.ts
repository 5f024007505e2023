import fc from 'fast-check';

/** Gives properties without a seed of their own the one of HOOKLINE_SEED, so that a failure of CI can be repeated. */
const seed = process.env['HOOKLINE_SEED'];
if (seed) fc.configureGlobal({ seed: Number(seed) });
