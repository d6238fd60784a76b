import { createHash } from 'node:crypto';
import { listTypes, requireType } from '../db/schemas.ts';
import type { Tokens, TypeChoice } from '../domain/extraction.ts';
import { fallback, type KnownType, typeNamed } from '../domain/known-types.ts';
import { automatic } from '../domain/schema/index.ts';
import { spend } from '../engine/budget/spend.ts';
import type { StageContext } from '../engine/pipeline/stage.ts';
import type { StageDocument } from '../engine/task/task.ts';
import { findTypeChoice, saveTypeChoice } from '../storage/extractions.ts';
import { storageKeys } from '../storage/keys.ts';
import { findPaidResult, storeWhenPossible } from './paid-result.ts';
import type { StoredTranscription } from './stored-transcription.ts';

const nothing: Tokens = { input: 0, output: 0 };

/**
 * Determines the type of a document: the type set on the ingestion, else the type recognised from
 * its text, else the one the model chooses.
 */
export async function chooseType(
  document: StageDocument,
  transcription: StoredTranscription,
  context: StageContext,
): Promise<{ type: KnownType; spent: Tokens }> {
  const { db } = context.database;
  const requested = document.ingestion.overrides.documentType ?? automatic;
  if (requested !== automatic)
    return { type: await requireType(db, document.workspaceId, requested), spent: nothing };
  const types = await listTypes(db, document.workspaceId);
  const recognised = await context.inSandbox('understanding.recognise', {
    path: transcription.path,
    types: types.map(({ name, recognise }) => ({ name, ...(recognise && { recognise }) })),
  });
  const known = recognised === undefined ? undefined : typeNamed(types, recognised);
  if (known) return { type: known, spent: nothing };
  const { type, spent } = await askModel(document, transcription, types, context);
  const chosen = typeNamed(types, type ?? fallback) ?? typeNamed(types, fallback);
  if (!chosen) throw new Error(`There is no type "${fallback}"`);
  return { type: chosen, spent };
}

async function askModel(
  document: StageDocument,
  transcription: StoredTranscription,
  types: readonly KnownType[],
  context: StageContext,
): Promise<{ type: string | null; spent: Tokens }> {
  const { extractor, storage, signal, metrics } = context;
  const choose = extractor.choose?.bind(extractor);
  if (!choose) return { type: null, spent: nothing };
  const offered = types.map(({ name, title }) => ({ name, title }));
  const { id, transcriptionSha256 } = document.ingestion;
  const source = [transcriptionSha256, hashOf(offered), extractor.engine].join('/');
  const reusable = {
    stage: 'extract',
    source,
    keyOf: storageKeys.typeChoice,
    find: findTypeChoice,
  };
  const found = await findPaidResult<TypeChoice>(document, context, reusable);
  if (found) return { type: found.value.type, spent: nothing };
  const text = await transcription.text();
  const choice = await spend(document, context, {
    engine: extractor.engine,
    quote: extractor.quoteChoice?.(text, offered) ?? 0,
    buy: (charge) => choose(text, offered, signal, charge),
  });
  metrics.extracted(choice.model, choice.tokens);
  await storeWhenPossible(
    () => saveTypeChoice(storage, storageKeys.typeChoice(id), source, choice),
    context,
  );
  return { type: choice.type, spent: choice.tokens };
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}
