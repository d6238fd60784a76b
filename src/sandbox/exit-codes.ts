/** Exit codes of a child that ends itself, apart from those of node. */
export const exitCodes = { outOfMemory: 70, strayError: 71, parentGone: 72, aborted: 73 } as const;
