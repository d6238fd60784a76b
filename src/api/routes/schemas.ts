import { type Request, Router } from 'express';
import { z } from 'zod';
import { findSchema, listTypes } from '../../db/schemas.ts';
import { type KnownType, knownTypes, origins, typeNamed } from '../../domain/known-types.ts';
import { NotFoundError } from '../../errors.ts';
import type { ApiContext, Routes } from '../context.ts';
import { parse } from '../parse.ts';
import { schemaJson } from '../schema-json.ts';
import { targetWorkspace } from '../workspace-scope.ts';

export const scopeQuery = z.object({ workspaceId: z.uuid().optional() });
export const schemaQuery = scopeQuery.extend({
  version: z.coerce.number().int().positive().optional().describe('Defaults to the active version'),
  origin: z
    .enum(origins)
    .optional()
    .describe('Selects the shipped schema or the workspace schema that replaces it'),
});

/** The document types available in a workspace. */
export const schemas: Routes = (context) => {
  const { db } = context.resources.database;
  const router = Router();

  router.get('/', async (req, res) => {
    const types = await listTypes(db, schemaScope(context, req));
    res.json({
      schemas: types.map(({ name, origin, version, title }) => ({ name, origin, version, title })),
    });
  });

  router.get('/:name', async (req, res) => {
    const { version, origin } = parse(schemaQuery, req.query);
    const { name } = req.params;
    const workspaceId = schemaScope(context, req);
    const own =
      version !== undefined &&
      origin !== 'shipped' &&
      (await findSchema(db, workspaceId, name, version));
    const known = own ? undefined : typeNamed(await candidates(context, workspaceId, origin), name);
    if (own) res.json(schemaJson(own));
    else if (known && (version ?? known.version) === known.version) res.json(schemaJson(known));
    else
      throw new NotFoundError(
        `There is no schema ${name}${version === undefined ? '' : ` with version ${version}`}`,
      );
  });

  return router;
};

export function schemaScope({ defaultWorkspaceId }: ApiContext, req: Request): string {
  return targetWorkspace(req, parse(scopeQuery, req.query).workspaceId, defaultWorkspaceId);
}

async function candidates(
  { resources }: ApiContext,
  workspaceId: string,
  origin: KnownType['origin'] | undefined,
): Promise<KnownType[]> {
  const types =
    origin === 'shipped' ? knownTypes() : await listTypes(resources.database.db, workspaceId);
  return types.filter((type) => origin === undefined || type.origin === origin);
}
