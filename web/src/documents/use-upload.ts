import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { readCsrf, toError } from '../api/request.ts';
import type { NamedFile } from './dropped-files.ts';

const atOnce = 3;

export interface Upload {
  total: number;
  done: number;
  failures: { name: string; reason: string }[];
}

/** Uploads files, a few at a time. A file that fails does not stop the others. */
export function useUpload() {
  const queryClient = useQueryClient();
  const [state, setState] = useState<Upload>({ total: 0, done: 0, failures: [] });
  const upload = async (files: NamedFile[]) => {
    setState({ total: files.length, done: 0, failures: [] });
    const waiting = [...files];
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const { name } = next;
        const reason = await send(next).catch(describe);
        setState(({ total, done, failures }) => ({
          total,
          done: done + 1,
          failures: reason === undefined ? failures : [...failures, { name, reason }],
        }));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    await queryClient.invalidateQueries({ queryKey: ['documents'] });
  };
  return { ...state, isRunning: state.done < state.total, upload };
}

async function send({ name, file }: NamedFile): Promise<undefined> {
  const answer = await fetch(`/v1/documents?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    body: file,
    headers: {
      'content-type': file.type || 'application/octet-stream',
      'x-csrf-token': readCsrf(),
    },
  });
  if (!answer.ok) throw await toError(answer);
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
