// Mastra tells its makers what is used of it, unless it is told not to.
process.env['MASTRA_TELEMETRY_DISABLED'] = '1';
