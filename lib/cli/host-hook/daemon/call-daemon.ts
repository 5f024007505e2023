export { askDaemon } from './ask-daemon.ts';
export { daemonPlace } from './daemon-place.ts';
export { startDaemon } from './start-daemon.ts';
