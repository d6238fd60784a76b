import { Router } from 'express';
import type { Routes } from '../context.ts';
import { toOpenApi } from '../openapi/document.ts';
import { operations } from '../openapi/operations/index.ts';
import { docsPage } from '../pages/docs.ts';

/** The API reference: OpenAPI for programs, HTML for people. */
export const description: Routes = () => {
  const document = toOpenApi(operations);
  const page = docsPage(operations);
  const router = Router();
  router.get('/openapi.json', (_, res) => {
    res.json(document);
  });
  router.get('/docs', (_, res) => {
    res.send(page);
  });
  return router;
};
