// Packs the package, installs it into fresh projects, and tries there what its users do with it.
import { copyFileSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { attempt, demand, failures } from './attempt.mjs';
import { tryBundles } from './bundles.mjs';
import { tryContents } from './contents.mjs';
import { tryLayouts } from './layouts.mjs';
import { createProject } from './project.mjs';
import { EXAMPLE, tryRuntimes } from './runtimes.mjs';
import { tryTypes } from './types.mjs';
import { tryWithoutNode } from './without-node.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const project = createProject('clients');
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const subpaths = Object.keys(exports)
  .filter((path) => path !== './package.json')
  .map((path) => `hookline${path.slice(1)}`);

// The tools have a lock file of their own; the package comes as a user gets it.
for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(here, name), join(project.at, name));
const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts'];
project.run('npm', install);
const [packed] = JSON.parse(
  project.run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', project.at], root),
);
project.run('npm', [...install, '--no-save', join(project.at, packed.filename)]);

tryContents(project, packed);
tryLayouts(project, packed, readFileSync(join(root, 'README.md'), 'utf8'), subpaths);
tryRuntimes(project);
attempt('the command, the help of each of its commands, and the presets', () => {
  const command = project.bin('hookline/dist/cli/main.js');
  const names = project.node(command, '--help').matchAll(/^ {2}([a-z-]+) .*[A-Z]/gm);
  const helps = [...names].map(([, name]) => project.node(command, name, '--help'));
  demand(helps.length > 8 && helps.every((help) => help.includes('Usage: hookline')), 'a command has no help');
  for (const preset of ['safe', 'observe']) project.node(command, 'check', '--preset', preset);
  return project.node(command, '--version').trim();
});
tryTypes(project, subpaths);
tryBundles(project);
tryWithoutNode(project, readFileSync(join(root, 'samples/README.md'), 'utf8'));
attempt('Jest', () => {
  const test = `const { createPipeline, defineHook, deny } = require('hookline');\ntest('loads', () => {${EXAMPLE}\n});`;
  project.write('jest/guard.test.js', test);
  project.write('jest.config.js', 'module.exports = {};');
  const { status, stderr } = project.tryNode(project.bin('jest/bin/jest.js'), '--ci');
  demand(status === 0 && stderr.includes('1 passed'), stderr);
});

process.exitCode = failures() === 0 ? 0 : 1;
console.log(failures() === 0 ? 'the package works for its clients' : `${failures()} of these failed`);
