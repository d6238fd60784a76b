export const status = {
  CANCELLED: 1,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  OUT_OF_RANGE: 11,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
} as const;
export type StatusName = keyof typeof status;

/** Over REST the client reports the HTTP status if it cannot parse the error body. */
const byHttp = new Map<number, StatusName>([
  [400, 'INVALID_ARGUMENT'],
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [413, 'INVALID_ARGUMENT'],
  [429, 'RESOURCE_EXHAUSTED'],
  [503, 'UNAVAILABLE'],
  [504, 'DEADLINE_EXCEEDED'],
]);
const byGrpc = new Map<number, StatusName>(
  Object.keys(status)
    .filter(isStatusName)
    .map((name) => [status[name], name]),
);

export function statusName(code: number): StatusName {
  return byGrpc.get(code) ?? byHttp.get(code) ?? 'UNKNOWN';
}

function isStatusName(name: string): name is StatusName {
  return Object.hasOwn(status, name);
}
