/**
 * A process with many clients of one event stream: `healthy` ones read and check it, `stalled` ones do not read. It sends `{ gate }` when all healthy ones
 * have received that gate event, and `{ wrong }` or `{ ended }` at the end. `{ stay }` makes the others disconnect.
 */
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { framesOf } from './sse-frames.ts';

const [port, path, healthy, stalled] = process.argv.slice(2) as [string, string, string, string];
const tell = (message: object) => process.send?.(message);

const reached = new Map<number, number>();
const readers = new Set<IncomingMessage>();
let ended = 0;

function read(response: IncomingMessage): void {
  readers.add(response);
  let text = '';
  let last = -1;
  let place = 0;
  response.setEncoding('utf8');
  response.on('data', (piece: string) => {
    text += piece;
    const whole = text.lastIndexOf('\n\n') + 2;
    const frames = framesOf(text.slice(0, whole));
    text = text.slice(whole);
    for (const { id, event, data } of frames) {
      if (Number(id) <= last) tell({ wrong: `${id} after ${last}` });
      if (event === 'reasoningChunk') {
        // Each delta contains its place.
        for (const mark of data.delta.match(/<\d+>/g) ?? []) {
          if (Number(mark.slice(1, -1)) !== place) tell({ wrong: `${mark} in the place of ${place}` });
          place += 1;
        }
      } else if (event === 'preCall') {
        if (Number(id) !== last + 1) tell({ wrong: `gate ${id} after ${last}` });
        const count = (reached.get(Number(id)) ?? 0) + 1;
        reached.set(Number(id), count);
        if (count === readers.size) tell({ gate: Number(id) });
      } else if (event !== 'postCall') tell({ wrong: event });
      last = Number(id);
    }
  });
  response.on('end', () => {
    ended += 1;
    if (ended === readers.size) tell({ ended });
  });
  response.on('error', () => {});
}

process.on('message', ({ stay }: { stay: number }) => {
  for (const response of [...readers].slice(stay)) {
    readers.delete(response);
    response.destroy();
  }
  tell({ left: true });
});

for (let index = 0; index < Number(stalled); index++) {
  const socket = connect(Number(port), '127.0.0.1', () => {
    socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`);
    socket.pause();
  });
  socket.on('error', () => {});
}
let open = 0;
for (let index = 0; index < Number(healthy); index++) {
  get({ port: Number(port), host: '127.0.0.1', path, agent: false }, (response) => {
    // A rejected client receives no events, and the others would be waited for without end.
    if (response.statusCode !== 200) tell({ wrong: `a stream was refused with ${response.statusCode}` });
    read(response);
    open += 1;
    if (open === Number(healthy)) tell({ open });
  }).on('error', (error) => tell({ wrong: error.message }));
}
