import { type ChangeEvent, type DragEvent, useRef, useState } from 'react';
import { readDrop, readInput } from './dropped-files.ts';
import { useUpload } from './use-upload.ts';

/** Takes files and folders, by drop or by choice, and shows how far the upload is. */
export function DropZone() {
  const { total, done, failures, isRunning, upload } = useUpload();
  const [isOver, setOver] = useState(false);
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const drop = async (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    await upload(await readDrop(event.dataTransfer));
  };
  const drag = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => upload(readInput(target));
  return (
    <section
      className={isOver ? 'drop over' : 'drop'}
      aria-label="Upload"
      onDrop={drop}
      onDragOver={drag}
      onDragLeave={() => setOver(false)}
    >
      <p>Drop files or folders here, or choose</p>
      <p>
        <button type="button" onClick={() => files.current?.click()}>
          Files
        </button>{' '}
        <button type="button" className="quiet" onClick={() => folder.current?.click()}>
          A folder
        </button>
      </p>
      <input ref={files} type="file" multiple hidden aria-label="Files" onChange={choose} />
      <input
        ref={folder}
        type="file"
        hidden
        aria-label="Folder"
        onChange={choose}
        {...{ webkitdirectory: '' }}
      />
      <div role="status">
        {isRunning && <progress value={done} max={total} aria-label="Upload" />}
        {total > 0 && (
          <p>
            {done - failures.length} of {total} uploaded
          </p>
        )}
      </div>
      {failures.map(({ name, reason }) => (
        <p key={name} className="problem" role="alert">
          {name}: {reason}
        </p>
      ))}
    </section>
  );
}
