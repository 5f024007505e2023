/** Loads what few cases need. It is in a file of its own, so that its paths are the same after the build. */
export function loadHostBed(): typeof import('./try-host-case.ts').hostBed {
  return require('./try-host-case').hostBed;
}

export function loadRunCase(): typeof import('./try-run-case.ts').tryRunCase {
  return require('./try-run-case').tryRunCase;
}

export function loadWriteCases(): typeof import('./write-cases.ts').writeCases {
  return require('./write-cases').writeCases;
}
