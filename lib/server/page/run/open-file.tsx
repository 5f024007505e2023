import { useState } from 'preact/hooks';

/** Opens a local recording. It is read in the browser and sent nowhere. */
export function OpenFile({ onFile }: { readonly onFile: (file: File | undefined) => void }) {
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onFile(event.dataTransfer?.files[0]);
  };
  return (
    <section
      class={over ? 'empty drop over' : 'empty drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      aria-labelledby="open-file"
    >
      <h1 id="open-file">Open a recording</h1>
      <p>Drop a file from the recorder hook or from the export of a run. It is read in this tab and sent nowhere.</p>
      <label class="button primary">
        Choose a file
        <input
          type="file"
          accept=".jsonl,application/jsonl"
          class="read-out"
          onChange={(event) => onFile(event.currentTarget.files?.[0])}
        />
      </label>
    </section>
  );
}
