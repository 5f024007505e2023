// Mastra sends usage data to its vendor by default.
process.env['MASTRA_TELEMETRY_DISABLED'] = '1';
