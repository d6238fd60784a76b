export { Millrace, type UploadOptions } from './client.ts';
export { MillraceError } from './error.ts';
export type { Content, MillraceOptions, RequestOptions } from './request.ts';
export type { Input, Item, ListName, OperationName, Output, Schemas } from './types.ts';
export type { WaitOptions } from './wait.ts';
