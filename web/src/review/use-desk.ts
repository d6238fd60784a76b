import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { documentOf } from '../api/queries.ts';
import { ApiError, request } from '../api/request.ts';
import type { Corrected, Document } from '../api/types.ts';
import { type Draft, listChanges, toDraft } from './draft.ts';
import type { DeskProps } from './review-desk.tsx';
import { useNextReview } from './use-next-review.ts';

interface Decision {
  action: 'approve' | 'reject';
  body: object;
}

export type Desk = ReturnType<typeof useDesk>;

/** What a person does with one document: edits, saves, approves, rejects, moves on. */
export function useDesk({ document, schema, filter }: DeskProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const nextReview = useNextReview(filter);
  const { id, revision } = document;
  const saved = toDraft(schema, document.structuredData ?? {});
  const [typed, setTyped] = useState<Draft>({});
  const draft = { ...saved, ...typed };
  const changes = listChanges(schema, saved, draft);
  const isChanged = Object.keys(changes).length > 0;

  const save = useMutation({
    mutationFn: () =>
      request<Corrected>(`/v1/documents/${id}/fields`, {
        method: 'PATCH',
        body: { fields: changes },
        revision,
      }),
    onSuccess: ({ values, ...corrected }) => {
      const update = { structuredData: values, ...corrected };
      queryClient.setQueryData<Document>(
        documentOf(id).queryKey,
        (old) => old && { ...old, ...update },
      );
      setTyped({});
    },
  });
  const settle = useMutation({
    mutationFn: ({ action, body }: Decision) =>
      request(`/v1/documents/${id}/${action}`, { method: 'POST', body, revision }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ['document', id] });
      moveOn();
    },
  });
  const moveOn = () =>
    nextReview.mutate(undefined, {
      onSuccess: (review) => review ?? void navigate({ to: '/review', search: filter }),
    });
  // Keys arrive faster than answers.
  const isBusy = save.isPending || settle.isPending || nextReview.isPending;
  const decide = (decision: Decision) => isBusy || settle.mutate(decision);
  const error = save.error ?? settle.error ?? nextReview.error;
  return {
    draft,
    isChanged,
    isBusy,
    error: fieldError(error, Object.keys(draft)) ? null : error,
    fieldError: fieldError(error, Object.keys(draft)),
    status: statusText(save.isPending || settle.isPending, isChanged, save.isSuccess),
    type: (field: string, value: Draft[string]) => {
      save.reset();
      setTyped((old) => ({ ...old, [field]: value }));
    },
    save: async () => (isChanged ? (await save.mutateAsync()).verdict : document.verdict),
    approve: () => decide({ action: 'approve', body: isChanged ? { fields: changes } : {} }),
    reject: (reason: string) => decide({ action: 'reject', body: { reason } }),
    next: () => isBusy || moveOn(),
    previous: () => history.back(),
    reload: () => {
      save.reset();
      settle.reset();
      void queryClient.invalidateQueries({ queryKey: ['document', id] });
    },
  };
}

/** The server starts its refusal of a value with the name of the field. */
function fieldError(error: unknown, fields: string[]) {
  if (!(error instanceof ApiError) || error.status !== 400) return undefined;
  const field = fields.find((name) => error.message.startsWith(`${name} `));
  return field === undefined
    ? undefined
    : { field, message: error.message.slice(field.length + 1) };
}

function statusText(isSaving: boolean, isChanged: boolean, isSaved: boolean): string {
  if (isSaving) return 'Saving …';
  if (isChanged) return 'Not saved yet: Enter saves.';
  return isSaved ? 'Saved.' : '';
}
