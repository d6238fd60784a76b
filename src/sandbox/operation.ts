/**
 * Operations of a child: functions whose input and output can be cloned. One that goes on working
 * after it has loaded its input reports that it has, since the two have separate CPU limits.
 */
export type OperationTable = Readonly<
  Record<string, (input: never, onLoaded: () => void) => Promise<unknown>>
>;

export type InputOf<Table extends OperationTable, Name extends keyof Table> = Parameters<
  Table[Name]
>[0];
export type OutputOf<Table extends OperationTable, Name extends keyof Table> = Awaited<
  ReturnType<Table[Name]>
>;
