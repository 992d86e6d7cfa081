/**
 * Loaded before all tests. In a run of several processes an error loses its cause on the way to the process that prints
 * it, so the cause is added to the stack.
 */
export const mochaHooks = {
  afterEach(this: Mocha.Context) {
    const error = this.currentTest?.err as Error | undefined
    if (process.env.MOCHA_WORKER_ID !== undefined && error?.cause instanceof Error)
      error.stack = `${error.stack}\n\nCause: ${error.cause.stack}`
  },
}
