/** The usual bands of `priority`: lower runs first, 100 is the default. */
export const HookPriority = {
  SECURITY: 10,
  AUTH: 20,
  VALIDATION: 50,
  PREPROCESSING: 80,
  BUSINESS: 100,
  POSTPROCESSING: 300,
  LOGGING: 500,
  METRICS: 600,
} as const;
