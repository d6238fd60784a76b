import { json, Router } from 'express';
import { z } from 'zod';
import { putSchema, retireSchema } from '../../db/schemas.ts';
import { schemaDefinition, schemaName } from '../../domain/schema/index.ts';
import { NotFoundError } from '../../errors.ts';
import type { Routes } from '../context.ts';
import { parse } from '../parse.ts';
import { schemaHref, schemaJson } from '../schema-json.ts';
import { schemaScope } from './schemas.ts';

const named = z.object({ name: schemaName });

/** Activates and retires a workspace's own schemas. */
export const schemaChanges: Routes = (context) => {
  const { db } = context.resources.database;
  const router = Router();

  router.put('/:name', json({ limit: '256kb' }), async (req, res) => {
    const { name } = parse(named, req.params);
    const definition = parse(schemaDefinition, req.body ?? {});
    const { schema, changed } = await putSchema(db, schemaScope(context, req), name, definition);
    res
      .status(changed ? 201 : 200)
      .location(schemaHref(schema))
      .json(schemaJson(schema));
  });

  router.delete('/:name', async (req, res) => {
    const { name } = req.params;
    const retired = await retireSchema(db, schemaScope(context, req), name);
    if (!retired) throw new NotFoundError(`The workspace has no active schema ${name} of its own`);
    res.status(204).end();
  });

  return router;
};
