/** For tasks of stages that have no processor. */
export const noChild = () => Promise.reject(new Error('no child here'));
