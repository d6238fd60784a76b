/** Operations of a child: functions whose input and output can be cloned. */
export type OperationTable = Readonly<Record<string, (input: never) => Promise<unknown>>>;

export type InputOf<Table extends OperationTable, Name extends keyof Table> = Parameters<
  Table[Name]
>[0];
export type OutputOf<Table extends OperationTable, Name extends keyof Table> = Awaited<
  ReturnType<Table[Name]>
>;
