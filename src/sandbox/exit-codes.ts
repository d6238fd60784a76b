/** Exit codes of a child that terminates itself; distinct from those of Node.js. */
export const exitCodes = { outOfMemory: 70, strayError: 71, parentGone: 72, aborted: 73 } as const;
