import { z } from 'zod';
import { named } from '../../named.ts';
import { pageQuery } from '../../page.ts';
import { newPassword } from '../../routes/passwords.ts';
import type { Operation } from '../operation.ts';
import { nextCursor } from '../schemas.ts';

const access = 'operator';
const tag = 'passwords';

const password = named(
  'Password',
  z.looseObject({
    id: z.uuid(),
    workspaceId: z.uuid(),
    label: z.string(),
    createdAt: z.iso.datetime(),
  }),
);

export const passwordOperations: Operation[] = [
  {
    operationId: 'createPassword',
    method: 'post',
    path: '/admin/passwords',
    tag,
    access,
    summary: 'Add a password that is tried on encrypted files of a workspace',
    body: newPassword,
    answers: { 201: { description: 'Added. It cannot be read again', schema: password } },
  },
  {
    operationId: 'listPasswords',
    method: 'get',
    path: '/admin/passwords',
    tag,
    access,
    summary: 'List passwords by their labels, newest first',
    query: pageQuery,
    answers: {
      200: {
        description: 'A page',
        schema: named('PasswordPage', z.object({ passwords: z.array(password), nextCursor })),
      },
    },
  },
  {
    operationId: 'deletePassword',
    method: 'delete',
    path: '/admin/passwords/{id}',
    tag,
    access,
    summary: 'Remove a password',
    answers: { 204: { description: 'Removed' } },
  },
];
