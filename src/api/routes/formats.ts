import { Router } from 'express';
import { describeFormats } from '../../content/index.ts';
import type { Routes } from '../context.ts';

export const formats: Routes = () => {
  const router = Router();
  router.get('/', (_, res) => {
    res.json({ formats: describeFormats() });
  });
  return router;
};
