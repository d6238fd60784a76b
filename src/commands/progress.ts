import type { App } from '../app.ts';
import type { DocumentView } from '../db/documents.ts';
import { keys } from '../lib/keys.ts';
import { SECOND } from '../lib/time.ts';
import { pipeline } from '../workers/pipeline.ts';
import { bar } from './bar.ts';
import { note } from './note.ts';

export interface Progress {
  finished(view: DocumentView): void;
  /** Adds documents to the total: those taken in, and those found in a container. */
  expect(more: number): void;
  close(): void;
}

/** Shows progress on stderr: one live line in a terminal, elsewhere one line per document. */
export function showProgress({ resources }: App): Progress {
  let total = 0;
  let ended = 0;
  const expect = (more: number) => {
    total += more;
  };
  if (!process.stderr.isTTY) {
    return {
      finished({ name, path, status, stages }) {
        ended += 1;
        note(`[${ended}/${total}] ${path ?? name}: ${status} (${stages.join(' → ')})`);
      },
      expect,
      close() {},
    };
  }
  const draw = async () => {
    const { rows } = await resources.database.pool.query<{ stage: string; count: number }>(
      "select stage, count(*)::int as count from tasks where state in ('ready', 'running') group by stage",
    );
    const counts = new Map(rows.map(({ stage, count }) => [stage, count]));
    const queues = keys(pipeline)
      .map((stage) => `${stage} ${counts.get(stage) ?? 0}`)
      .join('  ');
    process.stderr.write(`\r\x1b[K${bar(ended, total)} ${ended}/${total}  ${queues}`);
  };
  const timer = setInterval(() => void draw().catch(() => undefined), SECOND / 5);
  return {
    finished() {
      ended += 1;
    },
    expect,
    close() {
      clearInterval(timer);
      process.stderr.write('\r\x1b[K');
    },
  };
}
